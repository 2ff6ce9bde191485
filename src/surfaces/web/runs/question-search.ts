/** The filters of the open questions as they stand in their address. */
import type { Query } from '../../client/operations.ts';
import { omitUndefined, readChoice } from '../kit/list-search.ts';

type QuestionKind = NonNullable<Query<'listInterrupts'>['kind']>;

/** In the order in which the page offers them. */
export const QUESTION_KINDS: readonly QuestionKind[] = [
  'approval',
  'input',
  'effect_approval',
  'tool_approval',
  'unknown_effect',
  'budget_limit',
  'callback',
];

export interface QuestionSearch {
  readonly kind?: QuestionKind | undefined;
  /** Only questions that the reader may answer. */
  readonly mine?: true | undefined;
}

/** Reads the filters of an address and leaves out those that the API would refuse. */
export const parseQuestionSearch = (search: Readonly<Record<string, unknown>>): QuestionSearch =>
  omitUndefined({
    kind: readChoice(search, 'kind', QUESTION_KINDS),
    mine: search['mine'] === true ? true : undefined,
  });
