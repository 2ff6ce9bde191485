/** A file that somebody edits: when it is saved. */
import { watch } from 'node:fs';
import { basename, dirname } from 'node:path';

/** Milliseconds without a write after which a file counts as saved: editors empty a file before they write it. */
const SETTLED_MS = 100;

interface Saves {
  readonly isSaved: () => boolean;
  /** Waits until the file is saved and no longer written to; false once `close` was called. */
  readonly next: () => Promise<boolean>;
  readonly close: () => void;
}

/** @param path of the file, which counts as saved from the beginning */
export function savesOf(path: string): Saves {
  let wake: () => void = () => undefined;
  let isSaved = true;
  let isClosed = false;
  // The folder is watched: editors replace a file, and its watcher would stay with the old one.
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
          else if (isSaved) timer = setTimeout(done, SETTLED_MS, true);
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
