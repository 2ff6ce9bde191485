/** Keeps the body of an answer as a file of the run: it goes from the connection to the storage, and only its reference into values. */
import type { NodeCall } from '../kind.ts';
import type { HttpRequest, HttpResponse } from '../tools.ts';

/** The name of a `Content-Disposition` (RFC 6266, 4.3): `filename*` (RFC 8187) before `filename`; null without one. */
function readDispositionName(header: string): string | null {
  const [, encoded] = /;\s*filename\*\s*=\s*utf-8'[^']*'([^\s;]+)/i.exec(header) ?? [];
  if (encoded !== undefined) {
    try {
      return decodeURIComponent(encoded);
    } catch {
      // The other form may still be readable.
    }
  }
  const [, quoted, plain] = /;\s*filename\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s;"]+))/i.exec(header) ?? [];
  return quoted?.replaceAll(/\\(.)/g, '$1') ?? plain ?? null;
}

/** The last segment of a path; '' for a path that ends in a slash. */
function readPathName({ pathname }: URL): string {
  const last = pathname.slice(pathname.lastIndexOf('/') + 1);
  try {
    return decodeURIComponent(last);
  } catch {
    return last;
  }
}

/**
 * Opens what keeps the answers of a node.
 * @param isRead whether an answer is read, because it is or may be a failure
 * @throws NothingSentError `files_not_configured`, `file_storage_full`
 */
export async function openKeeper(
  { tools, identity }: Pick<NodeCall<unknown>, 'tools' | 'identity'>,
  isRead: (answer: Pick<HttpResponse, 'status' | 'headers'>) => boolean,
): Promise<NonNullable<HttpRequest['keep']>> {
  const store = await tools.files.keeper(identity);
  return ({ status, headers, url }) => {
    if (isRead({ status, headers })) return null;
    const name = readDispositionName(headers['content-disposition'] ?? '') ?? readPathName(url);
    return (pieces) => store({ name, mediaType: headers['content-type'] ?? '' }, pieces);
  };
}
