/** Takes the organization's request limit away, where a file's own tests are more than a minute's worth. */
import type { ApiServer } from '../support/api-server.ts';

/** For all organizations that exist by now. */
export async function unlimited(api: ApiServer): Promise<void> {
  await api.deps.db.query(`UPDATE organizations SET plan = 'enterprise'`);
}
