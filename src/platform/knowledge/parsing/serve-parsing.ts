/** Entry of a parsing process: reads one source, answers with JSON and exits. */
import { buffer } from 'node:stream/consumers';
import type { ParseTask } from '../../../language/nodes/transformer/parse-config.ts';
import { answer } from '../extraction/answer.ts';
import { parseToJson } from './parse-to-json.ts';

const task = JSON.parse(process.argv[2] ?? '') as ParseTask;
await answer(async () => parseToJson(await buffer(process.stdin), task));
