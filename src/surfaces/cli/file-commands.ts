/** The commands `files`, and the files of an input. */
import { InvalidArgumentError, Option, type Command } from 'commander';
import { createWriteStream, existsSync, openAsBlob } from 'node:fs';
import { rm } from 'node:fs/promises';
import { basename } from 'node:path';
import { Readable } from 'node:stream';
import type { ReadableStream } from 'node:stream/web';
import { pipeline } from 'node:stream/promises';
import type { FileReference, Reply } from '../client/client.ts';
import { CommandError, EXIT } from './exit.ts';
import { addDelete, printList } from './resource-commands.ts';
import type { Session, Sessions } from './session.ts';

/** A file of an input: the field that refers to it, and its path. */
export interface NamedFile {
  readonly field: string;
  readonly path: string;
}

/** Adds one `--file` to those before it. @throws InvalidArgumentError for anything but `name=path` */
function collectFile(given: string, before: readonly NamedFile[] = []): readonly NamedFile[] {
  const [, field = '', path = ''] = /^([^=]+)=(.+)$/s.exec(given) ?? [];
  if (field === '') throw new InvalidArgumentError('It must be name=path.');
  return [...before, { field, path }];
}

/** The option `--file` of commands that take an input. */
export const createFileOption = (): Option =>
  new Option(
    '--file <name=path>',
    'upload a file, and refer to it in this field of the input; repeatable',
  ).argParser(collectFile);

/** Types of files that workflows read most. The service believes what it is told, and looks into no file. */
const TYPES: Readonly<Record<string, string>> = {
  csv: 'text/csv',
  docx: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
  html: 'text/html',
  jpeg: 'image/jpeg',
  jpg: 'image/jpeg',
  json: 'application/json',
  md: 'text/markdown',
  pdf: 'application/pdf',
  png: 'image/png',
  txt: 'text/plain',
  webp: 'image/webp',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  xml: 'application/xml',
  zip: 'application/zip',
};

/** @throws CommandError when the file cannot be read */
async function upload(path: string, { client, screen }: Session): Promise<Reply<'uploadFile'>> {
  const type = TYPES[/\.([^.]+)$/.exec(path)?.[1]?.toLowerCase() ?? ''] ?? 'application/octet-stream';
  const file = await openAsBlob(path, { type }).catch((error: unknown) => {
    throw new CommandError(`${path} cannot be read: ${(error as Error).message}`, EXIT.usage);
  });
  const onProgress = ({ sent, total }: { sent: number; total: number }): void =>
    screen.progress(`${Math.round((100 * sent) / total)} % ${path}`);
  const uploaded = await client.files.upload({
    file,
    fileName: basename(path),
    ...(screen.isLive ? { onProgress } : {}),
  });
  if (screen.isLive) screen.line('');
  return uploaded;
}

/** Uploads files and puts their references into an input. @throws CommandError when one cannot be read */
export async function addFilesTo<Input extends object>(
  input: Input,
  files: readonly NamedFile[],
  session: Session,
): Promise<Input & Record<string, FileReference>> {
  const fields: Record<string, FileReference> = {};
  for (const { field, path } of files) fields[field] = (await upload(path, session)).reference;
  return { ...input, ...fields };
}

/** @throws CommandError when there is a file at the path already */
async function download(id: string, given: string | undefined, { client, screen }: Session): Promise<void> {
  const { name } = await client.files.get(id);
  const path = given ?? basename(name);
  if (existsSync(path)) throw new CommandError(`${path} exists. Name another file with --out`, EXIT.usage);
  const stream = (await client.files.download(id)) as ReadableStream<Uint8Array>;
  try {
    await pipeline(Readable.fromWeb(stream), createWriteStream(path, { flags: 'wx' }));
  } catch (error) {
    await rm(path, { force: true });
    throw error;
  }
  screen.line(path);
}

export function addFiles(program: Command, sessions: Sessions): void {
  const files = program.command('files').description('Manage files, which values of runs refer to');
  files
    .command('list')
    .description('List files, newest first')
    .action(async (_: object, command: Command) => {
      const session = await sessions.open(command);
      const columns = ['id', 'name', 'media_type', 'size', 'expires_at'] as const;
      await printList(session.client.files.list({ limit: 100 }), columns, session);
    });
  files
    .command('upload')
    .description('Upload a file and print it; its reference may stand in the input of a run')
    .argument('<path>')
    .action(async (...[path, , command]: [string, object, Command]) => {
      const session = await sessions.open(command);
      session.screen.json(await upload(path, session));
    });
  files
    .command('download')
    .description('Download a file')
    .argument('<file_id>')
    .option('--out <path>', 'path to write; the name of the file by default')
    .action(async (...[id, { out }, command]: [string, { out?: string }, Command]) => {
      await download(id, out, await sessions.open(command));
    });
  addDelete(files, sessions, {
    resource: 'file',
    argument: '<file_id>',
    description: 'Delete a file, also one that runs refer to',
    delete: (client, id) => client.files.delete(id),
  });
}
