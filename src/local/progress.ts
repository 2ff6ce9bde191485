/** Lines that tell whoever waits what happens, each with the seconds since the start. */

export type Say = (line: string) => void;

/** A printer of progress lines; its clock starts now. */
export function progress(out: NodeJS.WritableStream = process.stdout): Say {
  const begun = performance.now();
  return (line) => {
    const seconds = ((performance.now() - begun) / 1000).toFixed(1);
    out.write(`[${seconds.padStart(6)} s] ${line}\n`);
  };
}
