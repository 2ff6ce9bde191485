/** The options of a select, from names and their labels. */
export const listOptions = <Name extends string>(
  names: readonly Name[],
  labels: Readonly<Record<Name, string>>,
) => names.map((value) => ({ value, label: labels[value] }));
