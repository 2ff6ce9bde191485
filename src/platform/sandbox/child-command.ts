/** The command of a child process that runs what tenants have sent: bounded memory, no code from texts, no native modules. */
import { createRequire } from 'node:module';
import { extname } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const NODE_FLAGS = ['--max-old-space-size=512', '--disallow-code-generation-from-strings', '--no-addons'];

/**
 * Builds the command; from source, the child needs the TypeScript loader of this process.
 * @param from the URL of the module beside which the program lies
 * @param program its name, without the extension
 */
export function buildChildCommand(from: string, program: string, argument: string): string[] {
  const extension = extname(from);
  const tsx = (): string => pathToFileURL(createRequire(from).resolve('tsx')).href;
  const loader = extension === '.ts' ? ['--import', tsx()] : [];
  const entry = fileURLToPath(new URL(`./${program}${extension}`, from));
  return [process.execPath, ...NODE_FLAGS, ...loader, entry, argument];
}
