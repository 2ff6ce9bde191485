/** Uploads with progress: a counted stream where `fetch` accepts one, XMLHttpRequest in browsers. */
import type { Fetch } from './transport.ts';

export interface Upload {
  /** A File has a name; a Blob needs `fileName`. */
  readonly file: Blob;
  readonly fileName?: string | undefined;
  /** Searches filter by it. */
  readonly metadata?: Readonly<Record<string, unknown>> | undefined;
  /** Overrides the knowledge base's chunking. */
  readonly chunking?: Readonly<Record<string, unknown>> | undefined;
  /** Called as bytes are sent; `sent` restarts at 0 when the upload is retried. */
  readonly onProgress?: ((progress: UploadProgress) => void) | undefined;
}

export interface UploadProgress {
  /** Bytes of the request so far. */
  readonly sent: number;
  readonly total: number;
}

type Progress = (progress: UploadProgress) => void;

/** Bytes per progress step. */
const CHUNK_BYTES = 65_536;

function streamChunks(bytes: Uint8Array, onProgress: Progress): ReadableStream<Uint8Array> {
  let sent = 0;
  return new ReadableStream<Uint8Array>(
    {
      pull(controller) {
        if (sent >= bytes.length) {
          controller.close();
          return;
        }
        const chunk = bytes.subarray(sent, sent + CHUNK_BYTES);
        sent += chunk.length;
        controller.enqueue(chunk);
        onProgress({ sent, total: bytes.length });
      },
    },
    // Without a buffer, a chunk is counted only when the connection takes it.
    { highWaterMark: 0 },
  );
}

/** Makes a new stream for each attempt, because a stream can be sent once. */
function countedFetch(onProgress: Progress): Fetch {
  return async (input, init) => {
    const form = new Response(init?.body);
    const headers = new Headers(init?.headers);
    const type = form.headers.get('content-type');
    if (type !== null) headers.set('content-type', type);
    const body = streamChunks(new Uint8Array(await form.arrayBuffer()), onProgress);
    // WHATWG Fetch requires `duplex` for a stream; not every type declaration has it.
    return globalThis.fetch(input, { ...init, headers, body, duplex: 'half' } as RequestInit);
  };
}

/** The used part of XMLHttpRequest, which Node's types do not declare. */
interface Xhr {
  readonly upload: { onprogress: ((event: UploadEvent) => void) | null };
  readonly status: number;
  readonly statusText: string;
  readonly responseText: string;
  readonly responseURL: string;
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

function toResponse(xhr: Xhr): Response {
  const headers = new Headers();
  for (const line of xhr.getAllResponseHeaders().trim().split(/\r?\n/)) {
    const at = line.indexOf(':');
    if (at > 0) headers.append(line.slice(0, at), line.slice(at + 1).trim());
  }
  return new Response(xhr.responseText, { status: xhr.status, statusText: xhr.statusText, headers });
}

/** `fetch` in browsers reports no upload progress. */
function xhrFetch(create: () => Xhr, onProgress: Progress): Fetch {
  return (input, init) =>
    new Promise((resolve, reject) => {
      const xhr = create();
      const { href } = new URL(input instanceof Request ? input.url : input);
      xhr.open(init?.method ?? 'POST', href);
      for (const [name, value] of new Headers(init?.headers)) xhr.setRequestHeader(name, value);
      const { signal } = init ?? {};
      const stop = (): void => xhr.abort();
      const end = (): void => signal?.removeEventListener('abort', stop);
      xhr.upload.onprogress = ({ loaded, total }) => onProgress({ sent: loaded, total });
      xhr.onload = () => {
        end();
        // A browser follows redirects of XMLHttpRequest, and tells only where they ended.
        const isElsewhere = xhr.responseURL !== '' && xhr.responseURL !== href;
        resolve(isElsewhere ? Response.redirect(xhr.responseURL, 307) : toResponse(xhr));
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

/** @returns the form, and the `fetch` that reports its progress if the caller wants progress */
export function prepareUpload(upload: Upload): {
  readonly form: FormData;
  readonly fetch: Fetch | undefined;
} {
  const { file, fileName, metadata, chunking, onProgress } = upload;
  const form = new FormData();
  // The server reads the file as a stream, so the fields come first.
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
