/**
 * Removes secrets and the values at named paths from results and errors (services echo them), and repairs split surrogate pairs.
 */
import { RenderTooLarge } from '../../../language/graph/template/render-budget.ts';
import { toStorable } from '../../../language/graph/values/storable.ts';
import { REDACTED, type Redaction } from '../../../language/graph/redaction/redaction.ts';
import type { Json, JsonObject } from '../../../language/graph/values/value.ts';
import type { AgentReply } from '../../../language/nodes/agent/agent.ts';
import { WorkLimitExceeded, type WorkBudget } from '../../../language/graph/values/work-budget.ts';
import { boundResponse } from '../../../language/nodes/error-response.ts';
import { NodeError, type NodeResult } from '../../../language/nodes/kind.ts';
import type { Secrets } from '../../../platform/credentials/vault/secrets.ts';

/** Removes the secrets from a result and makes it storable. */
export function redact<Result>(result: Result, secrets: Secrets): Result {
  return toStorable(
    secrets.isEmpty ? result : (secrets.json(result as unknown as Json) as unknown as Result),
  );
}

/**
 * Redacts the values of a result at the named paths. Its values are redacted together, so that a log line or a warning does not repeat
 * what the output has lost.
 * @param work the budget of the execution
 */
export function redactResult(result: NodeResult, redaction: Redaction, work: WorkBudget): NodeResult {
  if (redaction.isEmpty) return result;
  switch (result.outcome) {
    case 'completed': {
      const { output, input = null, logs = [], warnings = [], response } = result;
      const given = [output, input, response?.body ?? null, [...logs], [...warnings]];
      const [redacted = null, shownInput = null, body = null, lines = [], notes = []] = redaction.all(
        given,
        work,
      );
      return {
        ...result,
        output: redacted,
        ...(result.input === undefined ? {} : { input: shownInput }),
        ...(result.logs === undefined ? {} : { logs: lines as string[] }),
        ...(result.warnings === undefined ? {} : { warnings: notes as unknown as typeof warnings }),
        ...(response === undefined ? {} : { response: { ...response, body } }),
      };
    }
    case 'interrupted': {
      const { question } = result;
      const { title, message, payload, defaultResponse } = question;
      const given = [title, message, payload, defaultResponse?.data ?? null];
      const [shownTitle = '', shownMessage = '', shownPayload = null, data = null] = redaction.all(
        given,
        work,
      );
      const fallback = defaultResponse === null ? null : { ...defaultResponse, data };
      return {
        ...result,
        question: {
          ...question,
          title: shownTitle as string,
          message: shownMessage as string,
          payload: shownPayload,
          defaultResponse: fallback,
        },
      };
    }
    case 'waiting':
      return { ...result, output: redaction.json(result.output, work) };
    case 'write': {
      const { write } = result;
      return { ...result, write: { ...write, given: redaction.json(write.given, work) } as typeof write };
    }
    case 'child':
      return { ...result, child: { ...result.child, input: redaction.json(result.child.input, work) } };
  }
}

/**
 * Redacts the reply of an agent's model: its text, its tool calls, and the data of its answer.
 * @param work the budget of the execution
 */
export function redactReply(reply: AgentReply, redaction: Redaction, work: WorkBudget): AgentReply {
  if (redaction.isEmpty) return reply;
  const messages = reply.opening.own.map(({ content }) => content);
  if (reply.kind === 'final') {
    const [output = {}, notes = [], contents = []] = redaction.all(
      [reply.output, [...reply.warnings], messages],
      work,
    );
    return {
      ...reply,
      opening: withMessages(reply.opening, contents),
      output: output as JsonObject,
      warnings: notes as unknown as typeof reply.warnings,
    };
  }
  const { content, correction } = reply;
  // A rule that asks is no value of the run.
  const given = reply.calls.map(({ id, name, text, arguments: values, refusal }) => ({
    id,
    name,
    text,
    arguments: values,
    refusal,
  }));
  const [said = { content: '' }, hint = null, calls = [], contents = []] = redaction.all(
    [{ content }, correction, given, messages],
    work,
  );
  return {
    ...reply,
    opening: withMessages(reply.opening, contents),
    content: (said as { content: string }).content,
    correction: hint as string | null,
    calls: reply.calls.map((call, at) => ({ ...call, ...(calls as readonly JsonObject[])[at] })),
  };
}

function withMessages(opening: AgentReply['opening'], contents: Json): AgentReply['opening'] {
  const texts = contents as string[];
  const own = opening.own.map((message, index) => ({ ...message, content: texts[index] ?? '' }));
  return { ...opening, own };
}

/** Codes of errors whose messages may quote what a service, a model or a function has said. */
const QUOTING =
  /^(?:function_error|integration_error|invalid_tool_call|output_schema_mismatch|mcp_\w+|model_\w+|provider_\w+)$/;

/** Codes of answers whose messages have the status alone; rules of a tool may give an answer any other code and message. */
const STATUS_ALONE = /^(?:http_error|run_too_deep)$/;

const mayQuote = ({ code, response }: NodeError): boolean =>
  QUOTING.test(code) || (response !== null && !STATUS_ALONE.test(code));

/** Codes of errors whose responses are prose: of these nothing is kept in a run with named paths. */
const PROSE = /^(?:mcp|model|provider)_/;

/** Work that has thrown, and its input; null: it kept none. */
export interface FailedWork {
  readonly error: unknown;
  readonly input: Json;
}

/**
 * Removes secrets and the values at named paths from failed work: from the response of a service, from its input, and from messages.
 * @param by `work`: the budget of the execution
 */
export function redactFailure(
  failed: FailedWork,
  by: { readonly redaction: Redaction; readonly work: WorkBudget; readonly secrets: Secrets },
): FailedWork {
  const { error, input } = redactFailurePaths(failed, by);
  return { error: redactError(error, by.secrets), input: toStorable(by.secrets.json(input)) };
}

/** Redacts by named paths. A message that may quote somebody is replaced, because it has no paths. */
function redactFailurePaths(
  { error, input }: FailedWork,
  { redaction, work }: { readonly redaction: Redaction; readonly work: WorkBudget },
): FailedWork {
  if (redaction.isEmpty) return { error, input };
  if (error instanceof NodeError) {
    const { message, response } = error;
    // Together: a service may repeat a value of the request in a text.
    const [shown = null, answer = null] = redaction.all(
      [input, response === null ? null : { ...response }],
      work,
    );
    return {
      input: shown,
      error: error.with({
        message: mayQuote(error) ? REDACTED : message,
        response: PROSE.test(error.code) ? null : (answer as typeof response),
      }),
    };
  }
  const shown = redaction.json(input, work);
  if (!(error instanceof Error) || error instanceof RenderTooLarge || error instanceof WorkLimitExceeded)
    return { error, input: shown };
  error.message = REDACTED;
  error.stack = '';
  error.cause = undefined;
  return { error, input: shown };
}

/** Removes the secrets from the texts of an error, and bounds the response in it. */
export function redactError(error: unknown, secrets: Secrets): unknown {
  if (!(error instanceof Error)) return error;
  if (error instanceof NodeError) {
    const { message, response } = error;
    if (secrets.isEmpty && response === null) return error;
    // Cut at last: half a secret would not be found.
    const shown = response === null ? null : toStorable(boundResponse(secrets.json({ ...response })));
    return error.with({ message: secrets.text(message), response: shown });
  }
  if (secrets.isEmpty) return error;
  error.message = secrets.text(error.message);
  error.stack = secrets.text(error.stack ?? '');
  error.cause = undefined;
  return error;
}
