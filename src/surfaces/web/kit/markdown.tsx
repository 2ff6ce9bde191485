/** Markdown of a model, which is hostile: no HTML, no images, links to the web and to mail alone. */
import { Anchor, Code, Table } from '@mantine/core';
import type { ReactNode } from 'react';
import ReactMarkdown, { type Components } from 'react-markdown';
import rehypeSanitize from 'rehype-sanitize';
import remarkGfm from 'remark-gfm';

interface MarkdownNode {
  type: string;
  readonly children?: readonly MarkdownNode[];
}

/** Shows HTML as the text that it is, because dropping it would hide words. */
function htmlAsText() {
  const turn = (node: MarkdownNode): void => {
    if (node.type === 'html') node.type = 'text';
    for (const child of node.children ?? []) turn(child);
  };
  return turn;
}

const LINKED = new Set(['http:', 'https:', 'mailto:']);

/** @returns an absolute address of the web or of mail; null for any other, relative ones too */
function safeUrl(text: unknown): URL | null {
  if (typeof text !== 'string' || !URL.canParse(text)) return null;
  const url = new URL(text);
  return LINKED.has(url.protocol) ? url : null;
}

/** Shows the host after the text, because link text can mislead. */
function OutLink({ to, children }: { readonly to: unknown; readonly children: ReactNode }) {
  const url = safeUrl(to);
  if (url === null) return <>{children}</>;
  return (
    <>
      <Anchor href={url.href} target="_blank" rel="noopener noreferrer" underline="always">
        {children}
      </Anchor>{' '}
      ({url.host || url.pathname})
    </>
  );
}

const Heading = ({ children }: { readonly children?: ReactNode }) => (
  <p>
    <b>{children}</b>
  </p>
);

const COMPONENTS: Components = {
  a: ({ href, children }) => <OutLink to={href}>{children}</OutLink>,
  // Loading an image would tell its address, and what a model put into it, to whoever it names.
  img: ({ src, alt }) => <OutLink to={src}>{alt === undefined || alt === '' ? src : alt}</OutLink>,
  pre: ({ children }) => (
    <Code block tabIndex={0} style={{ overflow: 'auto' }}>
      {children}
    </Code>
  ),
  table: ({ children }) => (
    <Table.ScrollContainer minWidth={200}>
      <Table>{children}</Table>
    </Table.ScrollContainer>
  ),
  // The page has its own outline.
  h1: Heading,
  h2: Heading,
  h3: Heading,
  h4: Heading,
  h5: Heading,
  h6: Heading,
};

export const Markdown = ({ text }: { readonly text: string }) => (
  <ReactMarkdown
    remarkPlugins={[remarkGfm, htmlAsText]}
    rehypePlugins={[rehypeSanitize]}
    components={COMPONENTS}
  >
    {text}
  </ReactMarkdown>
);
