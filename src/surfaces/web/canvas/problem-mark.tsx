/** The number of problems in the bar above the canvas; a click lists them. */
import { CircleCheck, TriangleAlert } from 'lucide-react';
import { useSyncExternalStore } from 'react';
import { editorWords } from '../words-editor.ts';
import { useEditing } from './context.ts';

export function ProblemMark({ onShow }: { readonly onShow: () => void }) {
  const { problems } = useEditing();
  const all = useSyncExternalStore(problems.subscribe, () => problems.all);
  const hasErrors = all.some(({ severity }) => severity === 'error');
  const Icon = all.length === 0 ? CircleCheck : TriangleAlert;
  return (
    <button
      type="button"
      className="wc-problem-mark"
      data-tone={hasErrors ? 'error' : all.length > 0 ? 'warning' : 'calm'}
      title={editorWords.tools.showProblems}
      aria-label={editorWords.tools.problemCount(all.length)}
      onClick={onShow}
    >
      <Icon size={16} aria-hidden /> <span>{editorWords.tools.problemCount(all.length)}</span>
    </button>
  );
}
