/** The form that deploys, below the difference to the live version: of the definition, and of its effects. */
import { Alert, Button, Group, List, Stack, Text, TextInput, Title } from '@mantine/core';
import { lazy, Suspense, useMemo, useState, type ReactNode } from 'react';
import { isObject, ownValue, type JsonObject } from '../../../language/graph/values/value.ts';
import { readText } from '../canvas/binding.ts';
import { isMocked } from '../canvas/kinds.ts';
import { describeDeployment, useDeployment, type People } from '../diff/compared-versions.ts';
import { DefinitionComparison, type ComparedDefinition } from '../diff/definition-comparison.tsx';
import { hasCode } from '../kit/has-code.ts';
import { Failure, Waiting } from '../kit/page.tsx';
import { isSameWork } from '../pages/definition-diff.ts';
import { pinWords } from '../words-pins.ts';
import { sheetWords } from '../words-sheet.ts';
import { versionWords } from '../words-versions.ts';
import { listRefused, listUnasked, Refusals, Unasked, Untrusted } from './refusals.tsx';
import { SheetChanges } from './sheet-changes.tsx';
import type { SeenDraft } from './use-deploy.ts';
import { useDeploymentSheet, useDraftSheet, useNames } from './use-sheets.ts';

const RehearseSection = lazy(async () => ({
  default: (await import('../rehearsals/rehearse-section.tsx')).RehearseSection,
}));

/** Lists the nodes that return a fixed output: a deployment would set that live. */
function Mocks({ draft }: { readonly draft: JsonObject }) {
  const listed = ownValue(draft, 'nodes');
  const mocked = (Array.isArray(listed) ? listed : []).filter(isObject).filter(isMocked);
  if (mocked.length === 0) return null;
  return (
    <Alert color="orange" role="status" aria-label={pinWords.mocks}>
      {pinWords.mocksGoLive}
      <List>
        {mocked.map((node) => (
          <List.Item key={readText(node, 'id')}>{readText(node, 'name') || readText(node, 'id')}</List.Item>
        ))}
      </List>
    </Alert>
  );
}

/** The difference of effects to those of the live version: nothing is deployed unseen. */
function useEffects({ workflowId, draft, liveId }: Pick<FormProps, 'workflowId' | 'draft' | 'liveId'>): {
  /** The hash of the draft whose effects are shown and allowed; null: they are not known, or a rule refuses one. */
  readonly deployable: string | null;
  /** The hash of the draft; null: it is not known. */
  readonly hash: string | null;
  readonly shown: ReactNode;
} {
  const names = useNames();
  const live = useDeploymentSheet(workflowId, liveId);
  const next = useDraftSheet(workflowId, draft.definition);
  const error = next.error ?? live.error;
  if (error !== null)
    return {
      deployable: null,
      hash: null,
      shown: (
        <Stack gap="xs" align="start">
          <Failure error={error} />
          {/* A draft with an error has to be mended: it would be refused again. */}
          {!hasCode(error, 'workflow_invalid') && (
            <Button
              variant="default"
              size="compact-sm"
              onClick={() => void Promise.all([next.refetch(), ...(liveId === null ? [] : [live.refetch()])])}
            >
              {sheetWords.retry}
            </Button>
          )}
        </Stack>
      ),
    };
  if (next.data === undefined || (liveId !== null && live.data === undefined))
    return { deployable: null, hash: null, shown: <Waiting /> };
  const refused = listRefused(next.data);
  const hash = next.isPlaceholderData ? null : next.data.definition_hash;
  return {
    hash,
    deployable: refused.length > 0 ? null : hash,
    shown: (
      <>
        <Refusals rows={refused} names={names} />
        <Unasked rows={listUnasked(next.data)} names={names} />
        <Untrusted messages={next.data.untrusted ?? []} />
        {liveId !== null && live.data === null && <Text size="sm">{sheetWords.unknown}</Text>}
        <SheetChanges live={live.data ?? null} next={next.data} names={names} />
      </>
    ),
  };
}

interface FormProps {
  readonly workflowId: string;
  readonly draft: ComparedDefinition;
  readonly liveId: string | null;
  readonly people: People;
  /** Why the draft that is shown is not the one that would be deployed; null when it is. */
  readonly waiting: string | null;
  /** Whether it is the one for the moment; it will be shortly. */
  readonly isSettled: boolean;
  readonly isPending: boolean;
  /** Resolves to whether it was deployed. */
  readonly onDeploy: (seen: SeenDraft) => Promise<boolean>;
}

export function DeployForm(props: FormProps) {
  const { workflowId, draft, liveId, people, waiting, isSettled, isPending, onDeploy } = props;
  const [note, setNote] = useState('');
  const live = useDeployment(workflowId, liveId);
  const effects = useEffects(props);
  const unchanged = useMemo(() => {
    if (live.data === undefined) return null;
    const { version, workflow_schema: deployed } = live.data;
    const isSame = isSameWork(deployed as unknown as JsonObject, draft.definition);
    return isSame ? versionWords.noChangesSince(version) : null;
  }, [live.data, draft.definition]);
  if (liveId !== null && live.data === undefined)
    return live.isError ? <Failure error={live.error} /> : <Waiting />;
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        if (effects.deployable === null) return;
        void onDeploy({ note: note.trim(), definitionHash: effects.deployable }).then((isDeployed) => {
          // A refusal leaves what was typed.
          if (isDeployed) setNote('');
        });
      }}
    >
      <Stack gap="sm">
        <Title order={2} size="h4">
          {liveId === null ? versionWords.neverDeployed : versionWords.draftAgainstLive}
        </Title>
        <Mocks draft={draft.definition} />
        {waiting !== null && (
          <Alert color="orange" role="status">
            {waiting}
          </Alert>
        )}
        <Group align="end">
          <TextInput
            label={versionWords.note}
            value={note}
            maxLength={500}
            data-autofocus
            onChange={(event) => setNote(event.currentTarget.value)}
          />
          <Button
            type="submit"
            loading={isPending}
            disabled={waiting !== null || !isSettled || unchanged !== null || effects.deployable === null}
            title={unchanged ?? undefined}
          >
            {versionWords.deploy}
          </Button>
        </Group>
        <Stack component="section" gap="xs" aria-label={sheetWords.title}>
          <Title order={3} size="h5">
            {sheetWords.title}
          </Title>
          {effects.shown}
        </Stack>
        <Suspense>
          <RehearseSection
            workflowId={workflowId}
            hash={effects.hash}
            isStored={waiting === null && isSettled && effects.hash !== null}
          />
        </Suspense>
        {/* Below the button: a first deployment lists the whole workflow. */}
        {unchanged === null ? (
          <DefinitionComparison before={describeDeployment(live.data, people)} after={draft} />
        ) : (
          <Text c="dimmed">{unchanged}</Text>
        )}
      </Stack>
    </form>
  );
}
