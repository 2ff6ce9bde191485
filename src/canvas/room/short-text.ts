/**
 * A name that a payload of any shape gives: an echo of it may go back, nothing longer may.
 * @returns undefined when there is none, or it is longer than 96 characters
 */
export function shortText(payload: unknown, name: string): string | undefined {
  const value: unknown =
    typeof payload === 'object' && payload !== null ? Reflect.get(payload, name) : undefined;
  return typeof value === 'string' && value.length <= 96 ? value : undefined;
}
