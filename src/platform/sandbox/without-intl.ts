/**
 * Refuses languages and time zones in code of tenants. QuickJS has no Intl, and its `toLocale…` methods ignore their arguments:
 * without an error the result would be wrong.
 */

export const NO_INTL_MESSAGE =
  'code nodes have no Intl: neither languages nor time zones other than UTC; build the text from its parts, or format it where it is shown';

/** True for code that may call one of the methods that `REFUSE_LOCALES` replaces. */
export const usesLocales = (code: string): boolean => /toLocale|localeCompare/.test(code);

/**
 * Code for the sandbox, evaluated before the tenant's: replaces the methods. Letter cases of all languages but Turkish, Azerbaijani
 * and Lithuanian are the same, so these languages alone are refused there.
 */
export const REFUSE_LOCALES = `{
  const { apply } = Reflect;
  const { test } = RegExp.prototype;
  const refuse = (object, name, from, isAllowed) => {
    const original = object[name];
    object[name] = { [name](...given) {
      for (let at = from; at < given.length; at += 1)
        if (given[at] !== undefined && !isAllowed?.(given[at]))
          throw new TypeError(name + ': ' + ${JSON.stringify(NO_INTL_MESSAGE)});
      return apply(original, this, given);
    } }[name];
  };
  const hasUsualCases = (language) =>
    typeof language === 'string' && !apply(test, /^(?:tr|az|lt)(?:-|$)/i, [language]);
  for (const { prototype } of [Date, Number, BigInt, Array, Object.getPrototypeOf(Int8Array)])
    refuse(prototype, 'toLocaleString', 0);
  refuse(Date.prototype, 'toLocaleDateString', 0);
  refuse(Date.prototype, 'toLocaleTimeString', 0);
  refuse(String.prototype, 'localeCompare', 1);
  refuse(String.prototype, 'toLocaleUpperCase', 0, hasUsualCases);
  refuse(String.prototype, 'toLocaleLowerCase', 0, hasUsualCases);
}`;
