/** Everything that is wrong with the definition, errors first; a click goes to the field. */
import { useSyncExternalStore } from 'react';
import type { Problem } from '../../../language/graph/definition/definition.ts';
import { readText } from '../canvas/binding.ts';
import { useEditing } from '../canvas/context.ts';
import { describeProblem } from '../forms/problem-words.ts';
import { editorWords } from '../words-editor.ts';

export function ProblemList({ onOpen }: { readonly onOpen: (problem: Problem) => void }) {
  const { problems, connection } = useEditing();
  const findName = (id: string): string => {
    const node = connection.node(id);
    return (node === undefined ? '' : readText(node, 'name')) || id;
  };
  const all = useSyncExternalStore(problems.subscribe, () => problems.all);
  if (all.length === 0) return <p className="wc-empty">{editorWords.panel.noProblems}</p>;
  return (
    <ul className="wc-problems">
      {all.slice(0, 200).map((problem, index) => (
        <li key={index} data-severity={problem.severity}>
          <button type="button" onClick={() => onOpen(problem)}>
            {problem.nodeId !== undefined && <b>{findName(problem.nodeId)}</b>} {describeProblem(problem)}
          </button>
        </li>
      ))}
    </ul>
  );
}
