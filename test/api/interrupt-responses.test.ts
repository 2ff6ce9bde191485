/** A question that needs several people would be decided by too few, by one of them alone, or by nobody. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Question } from '../../src/language/nodes/kind.ts';
import { hello, startApi, type Answer, type ApiServer, type Tenant } from '../support/api-server.ts';
import { ask } from '../support/questions.ts';

let api: ApiServer;
let owner: Tenant;
let others: readonly Tenant[];
beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api.close());
beforeEach(async () => {
  owner = await api.tenant();
  others = [await join(), await join()];
});

/** A new member of the owner's organization. */
async function join(): Promise<Tenant> {
  const member = await api.tenant();
  await api.deps.db.query(
    `INSERT INTO memberships (user_id, organization_id, role)
     SELECT user_id, $1, 'admin' FROM memberships WHERE organization_id = $2`,
    [owner.org, member.org],
  );
  return member;
}

interface Asked {
  readonly runId: string;
  readonly id: string;
}
async function start(question: Partial<Question>): Promise<Asked> {
  const { body } = await owner.call('POST', '/workflows/run', { body: { workflow: hello() } });
  const [id = ''] = await ask(api.deps.db, body.run_id, question);
  return { runId: body.run_id, id };
}
const answer = ({ runId, id }: Asked, who: Tenant | undefined, action?: string): Promise<Answer> => {
  const body = { interrupt_id: id, ...(action === undefined ? {} : { action }), data: { by: who?.org } };
  return (who ?? owner).call('POST', `/workflows/resume/${runId}`, { body, org: owner.org });
};
async function readQuestion({ runId }: Asked): Promise<Answer['body']> {
  const { runs } = (await owner.call('GET', `/workflow-runs?run_id=${runId}`)).body;
  return (await owner.call('GET', `/workflow-runs/${runs[0].id}`)).body.interrupts[0];
}

describe('a question that needs two answers', () => {
  test('is open after the first, and decided by the second of the same action', async () => {
    const asked = await start({ requiredResponses: 2 });
    const first = await answer(asked, others[0], 'approve');
    expect([first.status, first.body]).toEqual([
      202,
      {
        status: 'interrupted',
        run_id: asked.runId,
        thread_id: expect.any(String),
        interrupt_ids: [asked.id],
        interrupts: [{ interrupt_id: asked.id, responses: 1, required_responses: 2 }],
      },
    ]);
    expect(await readQuestion(asked)).toMatchObject({
      status: 'pending',
      required_responses: 2,
      responses: [{ action: 'approve', responded_at: expect.stringMatching(/Z$/) }],
    });
    expect((await answer(asked, others[1], 'reject')).status).toBe(202);
    const last = await answer(asked, owner, 'approve');
    expect([last.status, last.body.resumed_from_run_id]).toEqual([200, asked.runId]);
    const question = await readQuestion(asked);
    expect(question.status).toBe('claimed');
    expect(question.response.action).toBe('approve');
    const actions = question.response.responses.map((each: { action: string }) => each.action);
    expect(actions).toEqual(['approve', 'reject', 'approve']);
    expect((await answer(asked, owner, 'approve')).status).toBe(410);
  });

  test('takes one answer of a person, whoever asks twenty times at once', async () => {
    const asked = await start({ requiredResponses: 2 });
    const twenty = await Promise.all(Array.from({ length: 20 }, () => answer(asked, owner, 'approve')));
    const statuses = twenty.map(({ status }) => status).toSorted((a, b) => a - b);
    expect(statuses).toEqual([202, ...Array.from({ length: 19 }, () => 409)]);
    const again = await answer(asked, owner, 'reject');
    expect([again.status, again.headers.get('x-error-code')]).toEqual([409, 'already_responded']);
    expect((await readQuestion(asked)).responses).toHaveLength(1);
  });

  test('is decided once, when its last answers come at once', async () => {
    const asked = await start({ requiredResponses: 2 });
    const people = [owner, ...others];
    const three = await Promise.all(people.map((who) => answer(asked, who, 'approve')));
    expect(three.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 202, 410]);
  });

  test('an action may need fewer: one rejection ends it', async () => {
    const actions = [
      { id: 'approve', label: 'Approve' },
      { id: 'reject', label: 'Reject', requiredResponses: 1 },
    ];
    const asked = await start({ requiredResponses: 2, actions });
    expect((await answer(asked, owner, 'approve')).status).toBe(202);
    expect((await answer(asked, others[0], 'reject')).status).toBe(200);
    expect((await readQuestion(asked)).response.action).toBe('reject');
  });

  test('a form is decided by the second person who fills it in', async () => {
    const asked = await start({ kind: 'input', actions: [], requiredResponses: 2 });
    expect((await answer(asked, owner)).status).toBe(202);
    expect((await answer(asked, others[0])).status).toBe(200);
  });

  test('what is refused is not counted', async () => {
    const asked = await start({ requiredResponses: 2, assignees: { roles: ['admin'], user_ids: [] } });
    expect((await answer(asked, owner, 'approve')).status).toBe(403);
    expect((await answer(asked, others[0], 'explode')).status).toBe(422);
    const stranger = await api.tenant();
    expect((await answer(asked, stranger, 'approve')).status).toBe(403);
    expect((await readQuestion(asked)).responses).toEqual([]);
  });
});
