/**
 * Entry of an extraction process: reads one document, answers and exits. It has no secrets and no network, and any damage by
 * a document ends with the process.
 */
import { buffer } from 'node:stream/consumers';
import { answer } from './answer.ts';
import type { Task } from './messages.ts';
import { readDocument } from './read-document.ts';

const { type, chunking } = JSON.parse(process.argv[2] ?? '') as Task;
await answer(async () => readDocument(await buffer(process.stdin), type, chunking));
