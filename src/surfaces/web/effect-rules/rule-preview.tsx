/** The preview of a rule that is being written: what live versions may do about which it would decide. */
import { Alert, Button, List, Stack, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import type { EffectRuleHit, EffectRulePreview } from '../../client/openapi.ts';
import type { Body } from '../../client/operations.ts';
import { EffectTarget, nameAccount, type Names } from '../deploy/effect-line.tsx';
import { Failure } from '../kit/page.tsx';
import { effectRuleWords } from '../words-effect-rules.ts';
import { sheetWords } from '../words-sheet.ts';
import { findDecision } from './decisions.ts';
import type { RuleField } from './rule-fields.ts';

type Draft = Body<'previewEffectRule'>;

const route = getRouteApi('/effect-rules');

/** The names of what the fields of a rule name by an id. */
const listNames = (fields: readonly RuleField[]): Names =>
  new Map(
    fields
      .filter(({ path }) => path.endsWith('_id') || path.endsWith('_ids'))
      .flatMap(({ options }) => (options ?? []).map(({ value, label }) => [value, label])),
  );

function HitLine({ hit, names }: { readonly hit: EffectRuleHit; readonly names: Names }) {
  const account = nameAccount(hit, names);
  const before = hit.decision_before;
  const told = [
    ...(hit.is_exact ? [] : [effectRuleWords.mayMatch]),
    ...(hit.unasked === null ? [] : [effectRuleWords.nobodyAsked(sheetWords.unaskedReasons[hit.unasked])]),
    ...(before === null || before === hit.decision
      ? []
      : [effectRuleWords.before(findDecision(before).label)]),
  ];
  return (
    <>
      <EffectTarget row={hit} names={names} />
      {account !== null && ` ${sheetWords.with} ${account}`} ({hit.nodes.join(', ')})
      {told.length > 0 && (
        <Text span inherit c="dimmed">
          {` – ${told.join('; ')}`}
        </Text>
      )}
    </>
  );
}

interface HitListProps {
  readonly title: string;
  readonly hits: readonly EffectRuleHit[];
  readonly names: Names;
}

function HitList({ title, hits, names }: HitListProps) {
  if (hits.length === 0) return null;
  return (
    <div>
      <Text size="sm" fw={600}>
        {title}
      </Text>
      <List size="sm" aria-label={title}>
        {hits.map((hit, at) => (
          <List.Item key={at} style={{ overflowWrap: 'anywhere' }}>
            {effectRuleWords.describeVersion(hit.workflow_name, hit.deployment_version)}:{' '}
            <HitLine hit={hit} names={names} />
          </List.Item>
        ))}
      </List>
    </div>
  );
}

function Hits({
  preview: { hits, versions_read: versions, is_complete: isComplete },
  decision,
  names,
}: {
  readonly preview: EffectRulePreview;
  readonly decision: Draft['decision'];
  readonly names: Names;
}) {
  const { previewHits, previewFreed, previewNone, previewCut, previewRuns } = effectRuleWords;
  const hit = hits.filter(({ is_hit: isHit }) => isHit);
  const freed = hits.filter(({ is_hit: isHit }) => !isHit);
  return (
    <Alert variant="light" color={hit.length > 0 ? findDecision(decision).color : 'gray'} role="status">
      <Stack gap="xs">
        {hit.length === 0 && <Text size="sm">{previewNone(versions)}</Text>}
        <HitList title={previewHits[decision](hit.length)} hits={hit} names={names} />
        <HitList title={previewFreed(freed.length)} hits={freed} names={names} />
        {!isComplete && <Text size="sm">{previewCut}</Text>}
        {hit.length > 0 && decision !== 'allow' && (
          <Text size="sm" c="dimmed">
            {previewRuns}
          </Text>
        )}
      </Stack>
    </Alert>
  );
}

interface RulePreviewProps {
  /** Null: it is not whole yet. */
  readonly draft: Draft | null;
  readonly fields: readonly RuleField[];
}

export function RulePreview({ draft, fields }: RulePreviewProps) {
  const { client } = route.useRouteContext().app;
  const preview = useMutation({ mutationFn: (of: Draft) => client.effectRules.preview(of) });
  const isCurrent = draft !== null && JSON.stringify(preview.variables) === JSON.stringify(draft);
  return (
    <Stack gap="xs" align="flex-start">
      <Button
        variant="default"
        size="compact-sm"
        disabled={draft === null}
        loading={preview.isPending}
        onClick={() => {
          if (draft !== null) preview.mutate(draft);
        }}
      >
        {effectRuleWords.preview}
      </Button>
      <Failure error={isCurrent ? preview.error : null} />
      {isCurrent && preview.isSuccess && (
        <Hits preview={preview.data} decision={draft.decision} names={listNames(fields)} />
      )}
    </Stack>
  );
}
