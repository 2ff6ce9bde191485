/** The callers of the corpus: fixed names, each with a personal organization. */
import { eventually } from '../support/waiting.ts';
import type { Processes } from './processes.ts';

export interface Person {
  readonly token: string;
  readonly org: string;
}

/** Signs somebody in; the first request makes the user and the organization. The plan is without limits unless named. */
export async function signIn(processes: Processes, name: string, plan = 'enterprise'): Promise<Person> {
  const token = await processes.identity.mint({ sub: `user_${name}`, email: `${name}@example.test`, name });
  const headers = { authorization: `Bearer ${token}` };
  const org = await eventually(`${name} to be let in`, 20_000, async () => {
    const response = await fetch(`${processes.apiUrl}/organizations`, { headers });
    if (response.status !== 200) return null;
    const [first] = (await response.json()) as readonly { readonly id: string }[];
    return first?.id;
  });
  await processes.sql.query('UPDATE organizations SET plan = $2 WHERE id = $1', [org, plan]);
  return { token, org };
}
