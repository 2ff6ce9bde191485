/** The field `confirm` of a node that sends: people approve the very request before it leaves. */
import { z } from 'zod';
import type { JsonObject } from '../../graph/values/value.ts';
import {
  assignees,
  assigneesWithEmails,
  checkRequiredResponses,
  MAX_RESPONSES,
  MAX_WAIT_SECONDS,
} from '../interrupt/interrupt.ts';
import { recipientFields } from '../interrupt/recipients.ts';
import { ABOUT_ASSIGNEES } from '../fields.ts';
import type { EffectPattern } from '../effect.ts';
import type { KindProblem } from '../kind.ts';
import { readConfig } from '../read-config.ts';
import { getEditableRoot } from './editable-root.ts';

/** `body.items.0.amount` */
const EDITABLE_PATH = /^[a-z]{1,32}(?:\.[^.{}]{1,128}){0,16}$/;
/** A guess: a form with more fields is not read. */
const MAX_EDITABLE = 50;

const path = z.string().regex(EDITABLE_PATH, 'must be a path such as body.amount');

const requiredResponses = z
  .int()
  .min(1)
  .max(MAX_RESPONSES)
  .default(1)
  .meta({ description: 'How many people must approve the same request' });
const timeoutSeconds = z
  .int()
  .min(1)
  .max(MAX_WAIT_SECONDS)
  .nullish()
  .meta({ description: 'The node fails as `approval_expired` after this long, in seconds; null: never' });

export const confirmation = z
  .strictObject({
    assignees: assigneesWithEmails.meta({ description: ABOUT_ASSIGNEES }),
    notify: recipientFields.notify,
    required_responses: requiredResponses,
    timeout_seconds: timeoutSeconds,
    message: z
      .string()
      .max(10_000)
      .default('')
      .meta({ description: 'Text of the question, or a template of it' }),
    editable: z.array(path).max(MAX_EDITABLE).default([]).meta({
      description:
        'Paths of the values that people may change before the request leaves, such as `body.amount`: below `body` of an HTTP request and of an action, `arguments` of an MCP tool, `input` of a sub-workflow, `query` of a search, `messages` of a model',
    }),
  })
  .superRefine((given, ctx) => checkRequiredResponses(given, ctx));
export type Confirmation = z.output<typeof confirmation>;

/** Whom a rule of the organization asks about the requests that match it: people with an account, by a text without templates. */
export const ruleConfirmation = z
  .strictObject({
    assignees: assignees.meta({ description: ABOUT_ASSIGNEES }),
    required_responses: requiredResponses,
    timeout_seconds: timeoutSeconds,
    message: z.string().max(10_000).default('').meta({ description: 'Text of the question' }),
  })
  .superRefine(({ assignees: people, ...given }, ctx) =>
    checkRequiredResponses({ ...given, assignees: { ...people, emails: [] } }, ctx),
  );
export type RuleConfirmation = z.output<typeof ruleConfirmation>;

/** Parses the field of a node. Never throws. */
export const readConfirmation = (given: JsonObject) => readConfig(confirmation, given);

/** Finds the problems of the field. @param patterns of the node's config; null: the node does not send one effect */
export function findConfirmationProblems(
  given: JsonObject,
  pattern: EffectPattern | null,
): readonly KindProblem[] {
  if (pattern === null)
    return [
      {
        code: 'confirm_not_possible',
        message: 'confirm needs a node that sends one request: a tool, a model or a search',
        path: [],
      },
    ];
  const read = readConfirmation(given);
  if ('problems' in read) return read.problems;
  const root = getEditableRoot(pattern.door);
  return read.config.editable.flatMap((editable, at) =>
    editable.split('.')[0] === root
      ? []
      : [
          {
            code: 'path_not_editable',
            message: `must begin with ${root ?? ''}: nothing else of this request may be changed`,
            path: ['editable', at],
          },
        ],
  );
}
