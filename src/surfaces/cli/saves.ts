/** Watches a file for saves by an editor. */
import { watch } from 'node:fs';
import { basename, dirname } from 'node:path';

/** Editors empty a file before they write it, so a save is complete after this long without a write. */
const SETTLE_MS = 100;

interface Saves {
  readonly isSaved: () => boolean;
  /** Waits until a save is complete; false after `close`. */
  readonly next: () => Promise<boolean>;
  readonly close: () => void;
}

/** @param path of the file; its first `next` returns without a save */
export function watchSaves(path: string): Saves {
  let wake: () => void = () => undefined;
  let isSaved = true;
  let isClosed = false;
  // Watches the folder, because editors replace a file and a watcher of the file would keep the old one.
  const watcher = watch(dirname(path), (_, name) => {
    if (name !== basename(path)) return;
    isSaved = true;
    wake();
  });
  return {
    isSaved: () => isSaved,
    next: async () => {
      let timer: NodeJS.Timeout | undefined;
      const isNext = await new Promise<boolean>((done) => {
        wake = () => {
          clearTimeout(timer);
          if (isClosed) done(false);
          else if (isSaved) timer = setTimeout(done, SETTLE_MS, true);
        };
        wake();
      });
      isSaved = false;
      return isNext;
    },
    close: () => {
      isClosed = true;
      watcher.close();
      wake();
    },
  };
}
