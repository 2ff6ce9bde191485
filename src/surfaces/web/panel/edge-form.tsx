/** The form of the selected edge: its ends, its branch, and the condition on which it is taken. */
import { Button, NativeSelect } from '@mantine/core';
import { Trash2 } from 'lucide-react';
import { useSyncExternalStore } from 'react';
import { findElement } from '../../../features/canvas/room/document.ts';
import { END, START } from '../../../language/graph/definition/definition.ts';
import type { JsonObject } from '../../../language/graph/values/value.ts';
import { readHandle, readText } from '../canvas/binding.ts';
import { useEdgeProblems, useEditing } from '../canvas/context.ts';
import { reconnect } from '../canvas/gestures.ts';
import { listHandles } from '../canvas/kinds.ts';
import { CONDITION } from '../forms/envelope-fields.ts';
import { FieldView } from '../forms/field-view.tsx';
import { describeProblem } from '../forms/problem-words.ts';
import { findProblems } from '../forms/field-place.ts';
import { editorWords } from '../words-editor.ts';

const { edgeForm: said } = editorWords;

interface BranchProps {
  readonly edgeId: string;
  readonly edge: JsonObject;
}

/** Chooses the branch of its source that an edge leaves by; nothing where there is one. */
function Branch({ edgeId, edge }: BranchProps) {
  const { connection } = useEditing();
  const [source, target, used] = [readText(edge, 'source'), readText(edge, 'target'), readHandle(edge)];
  const handles = listHandles(connection.node(source) ?? {}, [used]);
  if (source === START || handles.length < 2) return null;
  return (
    <NativeSelect
      label={said.branch}
      data={handles.map(({ id, label }) => ({ value: id, label: label || said.next }))}
      value={used}
      onChange={({ currentTarget: { value: handle } }) =>
        connection.edit(reconnect(connection.view, edgeId, { source, handle, target }), {
          label: 'change the branch',
        })
      }
    />
  );
}

export function EdgeForm({ edgeId }: { readonly edgeId: string }) {
  const { connection } = useEditing();
  const edge = useSyncExternalStore(connection.subscribe, () => findElement(connection.view.edges, edgeId));
  const problems = useEdgeProblems(edgeId);
  if (edge === undefined) return null;
  const own = findProblems(problems, CONDITION.ptr);
  const nameEnd = (id: string): string => {
    if (id === START) return said.start;
    if (id === END) return said.end;
    return readText(connection.node(id) ?? {}, 'name') || id;
  };
  return (
    <div className="wc-form wc-node-form">
      <div className="wc-form-head">
        <div>
          <b>{said.between(nameEnd(readText(edge, 'source')), nameEnd(readText(edge, 'target')))}</b>
        </div>
      </div>
      {problems
        .filter((problem) => !own.includes(problem))
        .map((problem) => (
          <p className="wc-trouble" key={problem.message}>
            {describeProblem(problem)}
          </p>
        ))}
      <Branch edgeId={edgeId} edge={edge} />
      <FieldView
        entity={`edge:${edgeId}`}
        config={edge}
        base={[]}
        field={CONDITION}
        problems={own}
        isReadOnly={false}
      />
      <div>
        <Button
          size="compact-xs"
          variant="subtle"
          color="gray"
          leftSection={<Trash2 size={14} aria-hidden />}
          onClick={() =>
            connection.edit({ type: 'edge:delete', edgeIds: [edgeId] }, { label: 'delete an edge' })
          }
        >
          {said.delete}
        </Button>
      </div>
    </div>
  );
}
