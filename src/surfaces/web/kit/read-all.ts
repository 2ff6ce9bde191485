/** Reads a list of the API with all of its pages. */

/** Reads all items: a list that ends at its first page hides the others without a word. */
export async function readAll<Item>(list: AsyncIterable<Item>): Promise<Item[]> {
  const items: Item[] = [];
  for await (const item of list) items.push(item);
  return items;
}
