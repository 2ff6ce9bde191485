/** Text of a model as Markdown; plain until the Markdown reader has loaded. */
import { lazy, Suspense } from 'react';

const Markdown = lazy(async () => ({ default: (await import('./markdown.tsx')).Markdown }));

export const ModelText = ({ text }: { readonly text: string }) => (
  <div style={{ overflowWrap: 'anywhere' }}>
    <Suspense fallback={<span style={{ whiteSpace: 'pre-wrap' }}>{text}</span>}>
      <Markdown text={text} />
    </Suspense>
  </div>
);
