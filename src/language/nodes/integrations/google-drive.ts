/** Google Drive: files and folders, for people who sign in and for service accounts. */
import { describeCatalogAction } from './actions.ts';
import { oauth2, serviceAccount } from './auth-schemes.ts';
import { GOOGLE, GOOGLE_RULES } from './google.ts';
import type { Integration } from './integration.ts';

const file_id = { type: 'string', pattern: '^[A-Za-z0-9_-]{1,128}$' };
const name = { type: 'string', minLength: 1, maxLength: 255 };
const parents = { type: 'array', items: file_id, maxItems: 1, description: 'Id of the folder' };
const fields = { type: 'string', description: 'Fields to read, such as files(id,name)' };
const file = { id: { type: 'string' }, name: { type: 'string' }, mimeType: { type: 'string' } };
const SCOPES = ['https://www.googleapis.com/auth/drive'];
const FOLDER = 'application/vnd.google-apps.folder';
// Files of shared drives are found, too.
const fixedQuery = { supportsAllDrives: 'true' };

export const googleDrive: Integration = {
  name: 'google_drive',
  displayName: 'Google Drive',
  description: 'Finds, reads, copies and shares files and folders.',
  version: '1.0.0',
  category: 'productivity',
  docsUrl: 'https://developers.google.com/workspace/drive/api/reference/rest/v3',
  tags: ['files', 'google'],
  baseUrl: 'https://www.googleapis.com/drive/v3',
  baseUrlField: null,
  auth: [oauth2(GOOGLE, SCOPES), serviceAccount(GOOGLE, SCOPES)],
  actions: [
    describeCatalogAction({
      name: 'list_files',
      displayName: 'List files',
      description: 'Lists files that a search finds; `nextPageToken` leads to the next page.',
      method: 'GET',
      path: '/files',
      input: {
        q: {
          type: 'string',
          maxLength: 8_000,
          description: "Such as '<folder id>' in parents and trashed = false",
        },
        orderBy: { type: 'string' },
        pageSize: { type: 'integer', minimum: 1, maximum: 1_000 },
        pageToken: { type: 'string' },
        fields,
      },
      required: [],
      output: {
        files: { type: 'array', items: { type: 'object', properties: file } },
        nextPageToken: { type: 'string' },
      },
      request: { fixedQuery: { ...fixedQuery, includeItemsFromAllDrives: 'true' } },
    }),
    describeCatalogAction({
      name: 'get_file',
      displayName: 'Get file',
      description: 'Reads the name, type and other fields of a file.',
      method: 'GET',
      path: '/files/{file_id}',
      input: { file_id, fields },
      required: ['file_id'],
      output: file,
      request: { fixedQuery },
    }),
    describeCatalogAction({
      name: 'download_file',
      displayName: 'Download file',
      description: 'Reads the content of a file of up to 10 MB; a document of Google has none.',
      method: 'GET',
      path: '/files/{file_id}',
      input: { file_id },
      required: ['file_id'],
      output: {},
      request: { fixedQuery: { ...fixedQuery, alt: 'media' } },
    }),
    describeCatalogAction({
      name: 'create_folder',
      displayName: 'Create folder',
      description: 'Creates a folder.',
      method: 'POST',
      path: '/files',
      input: { name, parents },
      required: ['name'],
      output: file,
      request: { fixedQuery, constant: { mimeType: FOLDER } },
      verify: {
        action: 'list_files',
        parameters: {
          q: `mimeType = '${FOLDER}' and createdTime >= '{{input.since}}' and trashed = false`,
          orderBy: 'createdTime desc',
          pageSize: 100,
          fields: 'files(id,name,createdTime)',
        },
        source: '{{read.data.files}}',
        found: {
          match: 'all',
          rules: [{ left: '{{item.name}}', op: 'eq', right: '{{input.parameters.name}}' }],
        },
        about:
          'Folders with this name among the newest 100 that were created since the request was sent. Somebody else may have created one of them.',
      },
    }),
    describeCatalogAction({
      name: 'copy_file',
      displayName: 'Copy file',
      description: 'Copies a file, such as a template.',
      method: 'POST',
      path: '/files/{file_id}/copy',
      input: { file_id, name, parents },
      required: ['file_id'],
      output: file,
      request: { fixedQuery },
    }),
    describeCatalogAction({
      name: 'update_file',
      displayName: 'Rename or move file',
      description: 'Changes the name, the folder or the trash of a file.',
      method: 'PATCH',
      path: '/files/{file_id}',
      input: { file_id, name, trashed: { type: 'boolean' }, addParents: file_id, removeParents: file_id },
      required: ['file_id'],
      query: ['addParents', 'removeParents'],
      output: file,
      idempotent: true,
      request: { fixedQuery },
    }),
    describeCatalogAction({
      name: 'share_file',
      displayName: 'Share file',
      description: 'Lets a person, a group or everybody with the link read or change a file.',
      method: 'POST',
      path: '/files/{file_id}/permissions',
      input: {
        file_id,
        role: { type: 'string', enum: ['reader', 'commenter', 'writer'] },
        type: { type: 'string', enum: ['user', 'group', 'domain', 'anyone'] },
        emailAddress: { type: 'string' },
        sendNotificationEmail: { type: 'boolean' },
      },
      required: ['file_id', 'role', 'type'],
      query: ['sendNotificationEmail'],
      output: { id: { type: 'string' }, role: { type: 'string' }, type: { type: 'string' } },
      request: { fixedQuery },
    }),
  ],
  answers: GOOGLE_RULES,
  test: { path: '/about?fields=user', headers: {} },
};
