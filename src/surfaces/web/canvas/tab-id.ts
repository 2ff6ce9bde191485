/** One id for each tab, kept over reloads; a duplicated tab, which begins with a copy of the storage, gets its own. */
import { keptAt } from '../kit/kept-state.ts';

const fresh = (): string => {
  const bytes = crypto.getRandomValues(new Uint8Array(12));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
};

/** @returns the id of this tab; it holds its lock, where the browser has locks, until the page goes */
export async function tabId(): Promise<string> {
  const kept = document.documentElement.dataset['tab'] ?? keptAt('tab', null).read();
  if (kept !== null && kept === document.documentElement.dataset['tab']) return kept;
  const id = kept !== null && (await claim(kept)) ? kept : fresh();
  if (id !== kept) {
    keptAt('tab', null).write(id);
    await claim(id);
  }
  document.documentElement.dataset['tab'] = id;
  return id;
}

/** Insecure pages have no Web Locks API: there, a duplicated tab sees that it was replaced. */
function claim(id: string): Promise<boolean> {
  if (!('locks' in navigator)) return Promise.resolve(true);
  return new Promise((resolve) => {
    void navigator.locks.request(`tab:${id}`, { ifAvailable: true }, (lock) => {
      resolve(lock !== null);
      return lock === null ? undefined : new Promise(() => undefined);
    });
  });
}
