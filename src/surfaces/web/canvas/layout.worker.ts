/** The worker of `layout.ts`: one task in, its places out. */
import { layOut, type LayoutTask } from './layout.ts';

addEventListener('message', ({ data }: MessageEvent<LayoutTask>) => {
  postMessage(layOut(data));
});
