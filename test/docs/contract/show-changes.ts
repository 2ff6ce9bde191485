/** `npm run contract`: tells what has changed in the OpenAPI document since the last release. */
import { changesSinceRelease, listUntold } from './contracts.ts';

const changes = changesSinceRelease();
const untold = new Set(listUntold(changes));
for (const { kind, isBreaking, text } of changes)
  process.stdout.write(
    `${isBreaking ? 'BREAKING ' : ''}${kind} ${text}${untold.has(text) ? ' [not in the changelog]' : ''}\n`,
  );
