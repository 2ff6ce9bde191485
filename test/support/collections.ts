/**
 * The resources that their rows tell whole, so that no test needs a line for them: `POST /things` with an example, `GET /things`
 * and `/things/:thing_id`, which `DELETE` takes as well, for an organization.
 */
import { IDS } from '../../src/platform/http/docs/example-ids.ts';
import { allRoutes } from '../../src/processes/routes.ts';

interface Collection {
  readonly path: string;
  /** The parameter of one thing. */
  readonly param: string;
  /** `thing` of `thing_id`: its name in the audit log. */
  readonly noun: string;
  /** The example of a body, with these objects in place of those that only the examples have. */
  readonly buildBody: (objects: Readonly<Record<string, string>>) => object;
}

/** Lists them, in the order of the routes. */
export function listCollections(): readonly Collection[] {
  const rows = allRoutes();
  return rows.flatMap((row): Collection[] => {
    const request = row.example?.request;
    if (row.method !== 'POST' || row.access !== 'organization' || request === undefined) return [];
    const pattern = new RegExp(`^${row.path}/:((\\w+)_id)$`);
    const [, param, noun] =
      rows.map(({ method, path }) => method === 'GET' && pattern.exec(path)).find(Boolean) || [];
    if (param === undefined || noun === undefined) return [];
    if (row.path !== `/${noun.replaceAll('_', '-')}s`) return [];
    // What cannot be deleted is a report.
    if (!rows.some(({ method, path }) => method === 'DELETE' && pattern.test(path))) return [];
    return [
      {
        path: row.path,
        param,
        noun,
        buildBody: ({ workflow_id: workflow = IDS.workflow }) =>
          JSON.parse(JSON.stringify(request).replaceAll(IDS.workflow, workflow)) as object,
      },
    ];
  });
}
