/** A JSON value as a tree that opens level by level; long lists and texts are cut, so that no output freezes the page. */
import { shortenText } from '../../../language/graph/values/cut-text.ts';
import { isObject, type Json } from '../../../language/graph/values/value.ts';

const MAX_CHILDREN = 200;
const MAX_TEXT = 20_000;

function Leaf({ value }: { readonly value: Json }) {
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return <span className={`wc-json-${typeof value}`}>{shortenText(text, MAX_TEXT)}</span>;
}

export function JsonView({ value, depth = 0 }: { readonly value: Json; readonly depth?: number }) {
  if (!isObject(value) && !Array.isArray(value)) return <Leaf value={value} />;
  const entries = Object.entries(value);
  if (entries.length === 0) return <span>{Array.isArray(value) ? '[]' : '{}'}</span>;
  return (
    <ul className="wc-json">
      {entries.slice(0, MAX_CHILDREN).map(([key, item]) => (
        <li key={key}>
          {(isObject(item) || Array.isArray(item)) && Object.keys(item).length > 0 ? (
            <details open={depth < 1}>
              <summary>{key}</summary>
              <JsonView value={item} depth={depth + 1} />
            </details>
          ) : (
            <>
              <b>{key}</b> <JsonView value={item} depth={depth + 1} />
            </>
          )}
        </li>
      ))}
      {entries.length > MAX_CHILDREN && <li>… {entries.length - MAX_CHILDREN} more</li>}
    </ul>
  );
}
