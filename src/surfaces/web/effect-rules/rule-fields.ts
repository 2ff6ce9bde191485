/** The fields of an effect that a condition reads, with their names and the values to choose from. */
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useMemo } from 'react';
import { listOptions } from '../kit/list-options.ts';
import { readAll } from '../kit/read-all.ts';
import { useWorkflowNames } from '../kit/use-workflow-names.ts';
import { effectRuleWords } from '../words-effect-rules.ts';
import { sheetWords } from '../words-sheet.ts';

interface Option {
  readonly value: string;
  readonly label: string;
}

export interface RuleField {
  readonly path: string;
  readonly label: string;
  /** Null: any text. */
  readonly options: readonly Option[] | null;
  /** Whether the effect has several values of it. */
  readonly isList: boolean;
}

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS'];
const CLASSES = ['pure', 'idempotent', 'at_least_once', 'at_most_once'] as const;
const LISTS: ReadonlySet<string> = new Set(['target.knowledge_base_ids']);
const DOORS = ['http', 'model', 'mcp', 'search', 'run', 'table', 'message'] as const;

const route = getRouteApi('/effect-rules');

const toOptions = (named: readonly { readonly id: string; readonly name: string }[] | undefined): Option[] =>
  (named ?? []).map(({ id, name }) => ({ value: id, label: name }));

/** Lists all fields, with the credentials, knowledge bases and workflows of the organization. */
export function useRuleFields(): readonly RuleField[] {
  const { client, organizationId } = route.useRouteContext().app;
  const credentials = useQuery({
    queryKey: [organizationId, 'credentials'],
    queryFn: () => client.credentials.list().page(),
  }).data?.credentials;
  const bases = useQuery({
    queryKey: [organizationId, 'knowledge-bases', 'all'],
    queryFn: () => readAll(client.knowledgeBases.list({ limit: 100 })),
  }).data;
  const workflows = useWorkflowNames(client, organizationId).data;
  return useMemo(() => {
    const accounts = (credentials ?? []).map(({ credential_id: value, name: label }) => ({ value, label }));
    const options: Readonly<Partial<Record<string, readonly Option[]>>> = {
      door: listOptions(DOORS, effectRuleWords.doors),
      method: METHODS.map((value) => ({ value, label: value })),
      effect: listOptions(CLASSES, sheetWords.classes),
      credential_id: accounts,
      workflow_id: toOptions(workflows),
      'target.workflow_id': toOptions(workflows),
      'target.knowledge_base_ids': toOptions(bases),
    };
    return Object.entries(effectRuleWords.fields).map(([path, label]) => ({
      path,
      label,
      options: options[path] ?? null,
      isList: LISTS.has(path),
    }));
  }, [credentials, bases, workflows]);
}

/** Finds a field by its path; one that the page has no name for is itself. */
export const findField = (fields: readonly RuleField[], path: string): RuleField =>
  fields.find((field) => field.path === path) ?? { path, label: path, options: null, isList: false };
