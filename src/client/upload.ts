/** Uploads that tell their progress: a counted stream where `fetch` takes one, XMLHttpRequest in browsers. */
import type { Fetch } from './transport.ts';

export interface Upload {
  /** With a `name`, as a File has; a Blob needs `fileName`. */
  readonly file: Blob;
  readonly fileName?: string | undefined;
  /** What searches filter by. */
  readonly metadata?: Readonly<Record<string, unknown>> | undefined;
  /** In place of the base's. */
  readonly chunking?: Readonly<Record<string, unknown>> | undefined;
  /** Called as bytes leave; `sent` starts again when the upload is sent again. */
  readonly onProgress?: ((progress: UploadProgress) => void) | undefined;
}

export interface UploadProgress {
  /** Bytes of the request so far; at the end it is `total`. */
  readonly sent: number;
  readonly total: number;
}

type Progress = (progress: UploadProgress) => void;

/** Whole parts would count as one step of the progress. */
const PIECE = 65_536;

function pieces(bytes: Uint8Array, onProgress: Progress): ReadableStream<Uint8Array> {
  let sent = 0;
  return new ReadableStream<Uint8Array>(
    {
      pull(controller) {
        if (sent >= bytes.length) {
          controller.close();
          return;
        }
        const piece = bytes.subarray(sent, sent + PIECE);
        sent += piece.length;
        controller.enqueue(piece);
        onProgress({ sent, total: bytes.length });
      },
    },
    // Read when the connection takes it: else all would be counted before anything is sent.
    { highWaterMark: 0 },
  );
}

/** A body of its own for each attempt: a stream can be sent once. */
function countedFetch(onProgress: Progress): Fetch {
  return async (input, init) => {
    const form = new Response(init?.body);
    const headers = new Headers(init?.headers);
    const type = form.headers.get('content-type');
    if (type !== null) headers.set('content-type', type);
    const body = pieces(new Uint8Array(await form.arrayBuffer()), onProgress);
    // `duplex` is required for a stream (WHATWG Fetch), and not in all declarations of it.
    return globalThis.fetch(input, { ...init, headers, body, duplex: 'half' } as RequestInit);
  };
}

/** What is used of XMLHttpRequest: Node's types do not declare it. */
interface Xhr {
  readonly upload: { onprogress: ((event: UploadEvent) => void) | null };
  readonly status: number;
  readonly statusText: string;
  readonly responseText: string;
  onload: (() => void) | null;
  onerror: (() => void) | null;
  onabort: (() => void) | null;
  open(method: string, url: string): void;
  setRequestHeader(name: string, value: string): void;
  getAllResponseHeaders(): string;
  send(body: unknown): void;
  abort(): void;
}
interface UploadEvent {
  readonly loaded: number;
  readonly total: number;
}

function responseOf(xhr: Xhr): Response {
  const headers = new Headers();
  for (const line of xhr.getAllResponseHeaders().trim().split(/\r?\n/)) {
    const at = line.indexOf(':');
    if (at > 0) headers.append(line.slice(0, at), line.slice(at + 1).trim());
  }
  return new Response(xhr.responseText, { status: xhr.status, statusText: xhr.statusText, headers });
}

/** The `fetch` of browsers does not tell how far an upload is. */
function xhrFetch(create: () => Xhr, onProgress: Progress): Fetch {
  return (input, init) =>
    new Promise((resolve, reject) => {
      const xhr = create();
      xhr.open(init?.method ?? 'POST', input instanceof Request ? input.url : String(input));
      for (const [name, value] of new Headers(init?.headers)) xhr.setRequestHeader(name, value);
      const { signal } = init ?? {};
      const stop = (): void => xhr.abort();
      const end = (): void => signal?.removeEventListener('abort', stop);
      xhr.upload.onprogress = ({ loaded, total }) => onProgress({ sent: loaded, total });
      xhr.onload = () => {
        end();
        resolve(responseOf(xhr));
      };
      xhr.onerror = () => {
        end();
        reject(new TypeError('The upload failed'));
      };
      xhr.onabort = () => {
        end();
        reject(signal?.reason as Error);
      };
      signal?.addEventListener('abort', stop, { once: true });
      xhr.send(init?.body);
    });
}

/** @returns the form of an upload, and what to send it with where its progress is wanted */
export function sendWithProgress(upload: Upload): {
  readonly form: FormData;
  readonly fetch: Fetch | undefined;
} {
  const { file, fileName, metadata, chunking, onProgress } = upload;
  const form = new FormData();
  // Fields come first: the file is read as a stream behind them.
  if (metadata !== undefined) form.append('doc_metadata', JSON.stringify(metadata));
  if (chunking !== undefined) form.append('chunking_config', JSON.stringify(chunking));
  if (fileName === undefined) form.append('file', file);
  else form.append('file', file, fileName);
  if (onProgress === undefined) return { form, fetch: undefined };
  const { XMLHttpRequest } = globalThis as { XMLHttpRequest?: new () => Xhr };
  const fetch =
    XMLHttpRequest === undefined
      ? countedFetch(onProgress)
      : xhrFetch(() => new XMLHttpRequest(), onProgress);
  return { form, fetch };
}
