/**
 * QuickJS has no Intl: its `toLocale…` methods ignore the language and the time zone. Code that passes one must fail, because
 * the result would be wrong.
 */

export const WITHOUT_INTL =
  'code nodes have no Intl: no languages, no time zone but UTC, no options of either; write the text in parts, or leave it to who shows it';

/** True for code that may call one of these methods. */
export const usesLocales = (code: string): boolean => /toLocale|localeCompare/.test(code);

/** Guest code, evaluated before the tenant's. Only Turkish, Azerbaijani and Lithuanian have their own letter cases. */
export const REFUSE_LOCALES = `{
  const { apply } = Reflect;
  const { test } = RegExp.prototype;
  const refuse = (of, name, from, isHarmless) => {
    const own = of[name];
    of[name] = { [name](...given) {
      for (let at = from; at < given.length; at += 1)
        if (given[at] !== undefined && !isHarmless?.(given[at]))
          throw new TypeError(name + ': ' + ${JSON.stringify(WITHOUT_INTL)});
      return apply(own, this, given);
    } }[name];
  };
  const isOfAll = (language) =>
    typeof language === 'string' && !apply(test, /^(?:tr|az|lt)(?:-|$)/i, [language]);
  for (const { prototype } of [Date, Number, BigInt, Array, Object.getPrototypeOf(Int8Array)])
    refuse(prototype, 'toLocaleString', 0);
  refuse(Date.prototype, 'toLocaleDateString', 0);
  refuse(Date.prototype, 'toLocaleTimeString', 0);
  refuse(String.prototype, 'localeCompare', 1);
  refuse(String.prototype, 'toLocaleUpperCase', 0, isOfAll);
  refuse(String.prototype, 'toLocaleLowerCase', 0, isOfAll);
}`;
