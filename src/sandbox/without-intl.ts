/**
 * QuickJS has no Intl. It has the methods of ECMA-402, and ignores the language and the time zone that they are given: code
 * that names one is told so, for a value that ignores it would be a wrong one.
 */

export const WITHOUT_INTL =
  'code nodes have no Intl: no languages, no time zone but UTC, no options of either; write the text in parts, or leave it to who shows it';

/** True for code that may call one of the methods. */
export const namesLanguages = (code: string): boolean => /toLocale|localeCompare/.test(code);

/** The guest's own code, evaluated before the tenant's. The case of letters depends on the language in three of them alone. */
export const REFUSE_LANGUAGES = `{
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
