/** The pages at which people without an account answer questions; they are HTML, and no part of the API's document. */
import type { Context } from 'koa';
import { z } from 'zod';
import { takeTurn } from '../../base/shares/turns.ts';
import { readWithSecrets } from '../../platform/access/signed-text.ts';
import { readAnswerToken, type AnswerLink } from './link.ts';
import { takeApiRequest } from '../../platform/billing/windows.ts';
import { readSubscription } from '../../platform/billing/admission.ts';
import type { Config } from '../../base/config/config.ts';
import { ApiError, LAYER_BY_CODE, STATUS_BY_LAYER } from '../../base/errors.ts';
import { holdBody, readBytes, readJsonText, type BodyDeps } from '../../platform/http/body.ts';
import { parseForm } from '../../platform/http/form.ts';
import { routesFor, type Reply, type Route } from '../../platform/http/route.ts';
import type { Logger } from '../../base/log.ts';
import { answerByLink, explainClosed, type AnswerDeps } from '../../engine/runs/accept/resume.ts';
import { findLinkedQuestion, type LinkedQuestion } from '../../engine/runs/ledger/questions/answer-links.ts';
import { formatDeadline } from './format-deadline.ts';
import { listFormFields, readFormData } from './form.ts';
import { buildNotice, buildQuestionPage, type ShownQuestion } from './page.ts';

export type AnswerPageDeps = AnswerDeps & BodyDeps & { readonly config: Config; readonly log: Logger };

const route = routesFor<AnswerPageDeps>();
/** A form of a phone is small. */
const MAX_FORM_BYTES = 256 * 1024;

const NOT_FOUND = buildNotice(
  { status: 404, code: 'interrupt_not_found' },
  'Not found',
  'This link is not valid.',
);

const isClosed = ({ status, is_overdue: isOverdue }: LinkedQuestion): boolean =>
  status !== 'pending' || isOverdue;
const buildClosed = (question: LinkedQuestion): Reply =>
  buildNotice(
    { status: 410, code: 'interrupt_closed' },
    'This question is closed',
    `The question ${explainClosed(question)}.`,
  );

/** Builds the form of a question, before an answer. */
function buildShown(
  { question, workflow_name: workflowName, expires_at: expiresAt }: LinkedQuestion,
  { address }: AnswerLink,
): ShownQuestion {
  const { title, message, payload, form, actions } = question;
  return {
    title: title === '' ? 'A question' : title,
    message,
    payload: payload === null ? null : JSON.stringify(payload, null, 2),
    fields: listFormFields(form),
    actions: actions.length > 0 ? actions : [{ id: null, label: 'Answer' }],
    facts: [
      workflowName,
      `You are answering as ${address}`,
      ...(expiresAt === null ? [] : [`Answer by ${formatDeadline(expiresAt)}`]),
    ],
    problems: [],
    sent: null,
  };
}

/** Turns a refusal into a page; the form is shown again when another answer may be accepted. */
function showRefusal({ failure }: ApiError, shown: ShownQuestion): Reply {
  if (failure.shape === 'C') {
    // The location begins with `body` and `data`, which the page does not have.
    const problems = failure.issues.map(({ loc, msg }) =>
      [loc.slice(2).join('.'), msg].filter(Boolean).join(': '),
    );
    return buildQuestionPage({ ...shown, problems });
  }
  if (failure.shape === 'A') return buildNotice(failure, 'Not answered', failure.detail);
  const later = 'Your answer could not be saved. Try again later.';
  if (failure.shape === 'B') return buildNotice(failure, 'Not now', later);
  const { code } = failure.denial;
  return buildNotice({ status: STATUS_BY_LAYER[LAYER_BY_CODE[code]], code }, 'Not now', later);
}

/** Takes the answer of a form. @throws ApiError 413, 429 */
async function takeAnswer(
  deps: AnswerPageDeps,
  ctx: Context,
  { link, question }: { readonly link: AnswerLink; readonly question: LinkedQuestion },
): Promise<Reply> {
  const { organizationId } = link;
  const subscription = await readSubscription(deps.db, organizationId);
  await takeApiRequest(deps, { organizationId, subscription });
  const sent = await holdBody(deps, organizationId, async (lease) => {
    const bytes = await readBytes(ctx.req, lease, MAX_FORM_BYTES);
    await takeTurn();
    // Of a name that is given twice the first value counts, as for URLSearchParams.get.
    return new Map([...parseForm(bytes.toString('utf8'))].toReversed());
  });
  await takeTurn();
  const shown = { ...buildShown(question, link), sent };
  try {
    // The rules for JSON of clients hold for a form as well: no NUL, bounded depth.
    const { value } = await readJsonText(JSON.stringify(readFormData(shown.fields, sent)));
    const answer = { action: sent.get('action') ?? null, data: value };
    const outcome = await answerByLink(deps, { ...link, subscription }, answer);
    const text =
      outcome === 'resumed'
        ? 'Your answer was sent.'
        : 'Your answer was saved. Other people need to answer, too.';
    return buildNotice({ status: 200, code: null }, 'Thank you', text);
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    await takeTurn();
    return showRefusal(error, shown);
  }
}

const buildPageRoute = (method: 'GET' | 'POST'): Route<AnswerPageDeps> =>
  route({
    method,
    path: '/answers/:token',
    tag: 'runs',
    operationId: null,
    summary: 'The page of a question, for people without an account',
    access: 'public',
    replies: { 200: z.string() },
    params: z.object({ token: z.string() }),
    async handle({ deps, params, ctx }) {
      const link = readWithSecrets(deps.config.auth, (secret) => readAnswerToken(secret, params.token));
      const question = link === null ? null : await findLinkedQuestion(deps.db, link);
      if (link === null || question === null) return NOT_FOUND;
      if (isClosed(question)) return buildClosed(question);
      await takeTurn();
      // A GET changes nothing: programs that check the links of e-mails follow them.
      return method === 'GET'
        ? buildQuestionPage(buildShown(question, link))
        : takeAnswer(deps, ctx, { link, question });
    },
  });

export const answerPageRoutes: readonly Route<AnswerPageDeps>[] = [
  buildPageRoute('GET'),
  buildPageRoute('POST'),
];
