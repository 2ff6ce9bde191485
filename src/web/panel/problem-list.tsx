/** Everything that is wrong with the definition, errors first; a click opens the node. */
import { useSyncExternalStore } from 'react';
import { useEditing } from '../canvas/context.ts';
import { editorWords } from '../words-editor.ts';

export function ProblemList({ onOpen }: { readonly onOpen: (id: string) => void }) {
  const { problems } = useEditing();
  const all = useSyncExternalStore(problems.subscribe, () => problems.all);
  if (all.length === 0) return <p className="wc-empty">{editorWords.panel.noProblems}</p>;
  return (
    <ul className="wc-problems">
      {all.slice(0, 200).map((problem, index) => (
        <li key={index} data-severity={problem.severity}>
          {problem.nodeId === undefined ? (
            problem.message
          ) : (
            <button type="button" onClick={() => onOpen(problem.nodeId ?? '')}>
              {problem.message}
            </button>
          )}
        </li>
      ))}
    </ul>
  );
}
