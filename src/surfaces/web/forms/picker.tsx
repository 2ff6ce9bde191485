/** Chooses what a field names: a credential, a workflow, a table, knowledge bases, an integration, one of its actions. */
import { Button, Select } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Plus } from 'lucide-react';
import { useState, type ReactNode } from 'react';
import { parsePointer, getAt } from '../../../language/graph/values/pointer.ts';
import type { Json, JsonObject } from '../../../language/graph/values/value.ts';
import { readText } from '../canvas/binding.ts';
import { useEditing } from '../canvas/context.ts';
import { readAll } from '../kit/read-all.ts';
import { useWorkflowNames } from '../kit/use-workflow-names.ts';
import { fieldWords } from '../words-fields.ts';
import { words } from '../words.ts';
import { CredentialDialog } from './credential-dialog.tsx';
import { useCredentialTools } from './use-credential-tools.ts';
import { useIntegrations } from './use-integrations.ts';
import { joinMessages } from './problem-words.ts';
import { Ticks, type Choice } from './texts.tsx';
import { useChange, useList } from './use-change.ts';
import type { FieldProps } from './field-place.ts';

export function Picker(props: FieldProps) {
  if (props.field.widget === 'credential') return <CredentialPicker {...props} />;
  if (props.field.widget === 'bases') return <BasesPicker {...props} />;
  if (props.field.widget === 'workflow') return <WorkflowPicker {...props} />;
  if (props.field.widget === 'table') return <TablePicker {...props} />;
  return <CatalogPicker {...props} />;
}

const labelChoice = ({ field }: FieldProps): string => `choose ${field.label.toLowerCase()}`;

/** Writes the choice; the empty one removes the field. */
function useChoose(props: FieldProps): (value: Json | undefined) => void {
  const change = useChange(props);
  return (value) => change(() => value, labelChoice(props));
}

interface ChooseProps extends FieldProps {
  readonly choices: readonly Choice[];
  /** Whether the choices are being fetched: until then the stored value has no name, and its id tells nobody anything. */
  readonly isLoading: boolean;
}

/** Offers the stored value even when it is not among the choices, so that it is never hidden. */
function Choose({ choices, isLoading, ...props }: ChooseProps) {
  const { config, field, problems, isReadOnly } = props;
  const choose = useChoose(props);
  const value = getAt(config, parsePointer(field.ptr));
  const current = typeof value === 'string' ? value : '';
  const isNameless = isLoading && current !== '';
  const isUnknown = current !== '' && choices.every((choice) => choice.value !== current);
  return (
    <Select
      label={field.label}
      placeholder={isNameless ? words.loading : (field.hint ?? words.choose)}
      disabled={isReadOnly || isNameless}
      error={joinMessages(problems) || undefined}
      searchable
      clearable
      clearButtonProps={{ 'aria-label': fieldWords.clear(field.label) }}
      nothingFoundMessage={fieldWords.noMatch}
      value={current === '' || isNameless ? null : current}
      data={[...choices, ...(isUnknown && !isLoading ? [{ value: current, label: current }] : [])]}
      onChange={(value) => choose(value ?? undefined)}
    />
  );
}

const CHATS: readonly string[] = ['slack', 'teams', 'discord'];

/** Returns the integration that the credential of a config must belong to; null where any may. */
function integrationFor(config: JsonObject): string | null {
  const kind = readText(config, 'kind');
  if (kind === 'integration') return readText(config, 'integration') || null;
  if (kind === 'http' || kind === 'mcp') return kind;
  if (CHATS.includes(kind)) return 'chat_webhook';
  return readText(config, 'provider') || null;
}

function CredentialPicker(props: FieldProps) {
  const { client, organizationId } = useEditing();
  const queries = useQueryClient();
  const choose = useChoose(props);
  const [isMaking, setIsMaking] = useState(false);
  const queryKey = [organizationId, 'credentials'];
  const list = useQuery({ queryKey, queryFn: () => client.credentials.list().page() });
  const integration = integrationFor(props.config);
  const all = list.data?.credentials ?? [];
  const fitting = all.filter((one) => one.integration === integration);
  const choices = [...fitting, ...all.filter((one) => !fitting.includes(one))];
  return (
    <>
      <Choose
        {...props}
        isLoading={list.isLoading}
        choices={choices.map(({ credential_id: value, name, integration: of }) => ({
          value,
          label: `${name} (${of})`,
        }))}
      />
      <Button
        size="compact-xs"
        variant="subtle"
        leftSection={<Plus size={14} aria-hidden />}
        disabled={props.isReadOnly}
        onClick={() => setIsMaking(true)}
      >
        {words.newCredential}
      </Button>
      <CredentialDialog
        client={client}
        organizationId={organizationId}
        isOpen={isMaking}
        integration={integration ?? undefined}
        onClose={() => setIsMaking(false)}
        onCreated={({ credential_id: made }) => {
          choose(made);
          void queries.invalidateQueries({ queryKey });
        }}
      />
    </>
  );
}

function WorkflowPicker(props: FieldProps) {
  const { client, organizationId } = useEditing();
  const list = useWorkflowNames(client, organizationId);
  const choices = (list.data ?? []).map(({ id, name }) => ({ value: id, label: name }));
  return <Choose {...props} choices={choices} isLoading={list.isLoading} />;
}

function TablePicker(props: FieldProps) {
  const { client, organizationId } = useEditing();
  const list = useQuery({
    queryKey: [organizationId, 'tables', 'all'],
    queryFn: () => readAll(client.tables.list({ limit: 100 })),
  });
  const choices = (list.data ?? []).map(({ id, name }) => ({ value: id, label: name }));
  return <Choose {...props} choices={choices} isLoading={list.isLoading} />;
}

/** Integrations that have actions, or the actions of the one that is chosen. */
function CatalogPicker(props: FieldProps) {
  const { config, field } = props;
  const catalog = useIntegrations(useEditing());
  const entries = (catalog.data?.integrations ?? []).filter(({ actions }) => actions.length > 0);
  const offered =
    field.widget === 'integration'
      ? entries
      : entries.filter(({ name }) => name === readText(config, 'integration')).flatMap((one) => one.actions);
  const choices = offered.map(({ name, display_name: label }) => ({ value: name, label }));
  return <Choose {...props} choices={choices} isLoading={catalog.isLoading} />;
}

interface McpToolPickerProps extends FieldProps {
  /** The control when the tools are unknown: there is no credential, or the server does not answer. */
  readonly otherwise: ReactNode;
}

/** Offers the tools of the chosen credential's server. */
export function McpToolPicker({ otherwise, ...props }: McpToolPickerProps) {
  const tools = useCredentialTools(readText(props.config, 'credential_id'));
  if (tools.length === 0) return otherwise;
  const choices = tools.map(({ name }) => ({ value: name, label: name }));
  return <Choose {...props} choices={choices} isLoading={false} />;
}

function BasesPicker(props: FieldProps) {
  const { client, organizationId } = useEditing();
  const { list: stored, change } = useList(props);
  const list = useQuery({
    queryKey: [organizationId, 'knowledge-bases', 'all'],
    queryFn: () => readAll(client.knowledgeBases.list({ limit: 100 })),
  });
  const chosen = stored.map(String);
  const there = (list.data ?? []).map(({ id, name }) => ({ value: id, label: name }));
  const gone = chosen.filter((id) => there.every((choice) => choice.value !== id));
  const all = [...there, ...(list.isLoading ? [] : gone.map((id) => ({ value: id, label: id })))];
  return (
    <>
      {list.isSuccess && all.length === 0 && <p className="wc-empty">{words.noBases.title}</p>}
      <Ticks
        choices={all}
        chosen={chosen}
        isReadOnly={props.isReadOnly}
        onTick={(base, isTicked) =>
          change((now) => {
            const others = now.filter((id) => id !== base);
            return isTicked ? [...others, base] : others;
          }, labelChoice(props))
        }
      />
    </>
  );
}
