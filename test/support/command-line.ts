/** The command `workflow`, compiled, as its users have it: in pipes, and in a real terminal that is typed into. */
import { spawn } from '@lydell/node-pty';
import { execFile, spawn as spawnProcess, type ChildProcess } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { ROOT } from '../../src/processes/local/paths.ts';

export interface Ended {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}
/** What is done once something new stands on the terminal: keys are typed, or something happens elsewhere, after which keys may be typed. */
export type Step = readonly [shown: string, then: string | ((seen: string) => void | Promise<string>)];

export class CommandLine {
  readonly #main: string;
  readonly #env: Record<string, string>;

  /** @param main its compiled entry */
  constructor(main: string, env: Record<string, string>) {
    this.#main = main;
    this.#env = env;
  }

  /** Starts a command that nobody talks to. */
  start(...args: string[]): ChildProcess {
    return spawnProcess(process.execPath, [this.#main, ...args], {
      env: this.#env,
      cwd: ROOT,
      stdio: 'ignore',
    });
  }

  piped(...args: string[]): Promise<Ended> {
    return new Promise((resolve) => {
      const child = execFile(
        process.execPath,
        [this.#main, ...args],
        { env: this.#env, cwd: ROOT },
        (error, out, err) => resolve({ code: typeof error?.code === 'number' ? error.code : 0, out, err }),
      );
      child.stdin?.end();
    });
  }

  /** Runs a line of bash that calls `workflow`. */
  shell(line: string): Promise<Ended> {
    const script = `workflow() { '${process.execPath}' '${this.#main}' "$@"; }; ${line}`;
    return new Promise((resolve) => {
      execFile('bash', ['--norc', '-c', script], { env: this.#env, cwd: ROOT }, (error, out, err) =>
        resolve({ code: typeof error?.code === 'number' ? error.code : 0, out, err }),
      );
    });
  }

  /** @returns the JSON of each line. @throws with what stderr says when the command does not succeed */
  // oxlint-disable-next-line typescript/no-explicit-any -- tests read into answers of every shape
  async json(...args: string[]): Promise<any[]> {
    const { code, out, err } = await this.piped(...args, '--json');
    if (code !== 0) throw new Error(`${args.join(' ')} ended with ${code}: ${err}`);
    return out
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as unknown);
  }

  typed(args: string[], steps: readonly Step[]): Promise<{ code: number; seen: string }> {
    return new Promise((resolve) => {
      const options = { env: this.#env, cwd: ROOT, cols: 120, rows: 40 };
      const terminal = spawn(process.execPath, [this.#main, ...args], options);
      const left = [...steps];
      let seen = '';
      let from = 0;
      terminal.onData((data) => {
        seen += data;
        for (let next = left[0]; next !== undefined; next = left[0]) {
          const at = seen.indexOf(next[0], from);
          if (at === -1) return;
          left.shift();
          // What was shown before something is done is not its answer; where nothing is, the next may stand there already.
          from = next[1] === '' ? at + next[0].length : seen.length;
          if (typeof next[1] === 'string') terminal.write(next[1]);
          else void next[1](seen)?.then((keys) => terminal.write(keys));
        }
      });
      terminal.onExit(({ exitCode }) => resolve({ code: exitCode, seen }));
    });
  }
}

/** Compiles the command below a folder of the checkout, where its imports find node_modules. @returns its entry */
export async function compileCommandLine(target: string): Promise<string> {
  const config = join(ROOT, 'src', 'surfaces', 'client', 'tsconfig.build.json');
  const compiler = join(ROOT, 'node_modules', '.bin', 'tsc');
  await promisify(execFile)(compiler, ['-p', config, '--outDir', target, '--declaration', 'false']);
  return join(target, 'src', 'surfaces', 'cli', 'main.js');
}
