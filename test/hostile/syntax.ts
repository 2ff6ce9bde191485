/** Pieces of syntax as the parser gives them. */
export type Node = Readonly<Record<string, unknown>>;

export const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null;
