/** The form of the selected edge: its ends, and the condition on which it is taken. */
import { Button } from '@mantine/core';
import { Trash2 } from 'lucide-react';
import { useSyncExternalStore } from 'react';
import { findElement } from '../../canvas/room/document.ts';
import { END, START } from '../../graph/definition.ts';
import { readHandle, readText } from '../canvas/binding.ts';
import { useEdgeProblems, useEditing } from '../canvas/context.ts';
import { CONDITION } from '../forms/envelope-fields.ts';
import { FieldView } from '../forms/field-view.tsx';
import { describeProblem } from '../forms/problem-words.ts';
import { findProblems } from '../forms/write-config.ts';
import { editorWords } from '../words-editor.ts';

const { edgeForm: said } = editorWords;

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
  const handle = readHandle(edge);
  return (
    <div className="wc-form wc-node-form">
      <div className="wc-form-head">
        <div>
          <b>{said.between(nameEnd(readText(edge, 'source')), nameEnd(readText(edge, 'target')))}</b>
          {handle !== 'default' && <small>{said.branch(handle)}</small>}
        </div>
      </div>
      {problems
        .filter((problem) => !own.includes(problem))
        .map((problem) => (
          <p className="wc-trouble" key={problem.message}>
            {describeProblem(problem)}
          </p>
        ))}
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
