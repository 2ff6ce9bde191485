/** Gives the fields of several schemas the same words, by `Schema.field`. */
export const repeatWords = (
  schemas: readonly string[],
  words: Readonly<Record<string, string>>,
): Readonly<Record<string, string>> =>
  Object.fromEntries(
    schemas.flatMap((schema) =>
      Object.entries(words).map(([name, word]): [string, string] => [`${schema}.${name}`, word]),
    ),
  );
