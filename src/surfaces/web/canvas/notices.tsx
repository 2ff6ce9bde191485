/** Messages that disappear by themselves: rejected and replaced edits, pastes, lost locks. */
import { useEffect, useRef, useState } from 'react';
import { useEditing } from './context.ts';
import type { Notice } from './canvas-connection.ts';

const SHOWN_MS = 6_000;

interface KeyedNotice extends Notice {
  readonly key: number;
}

export function Notices() {
  const { connection } = useEditing();
  const [shown, setShown] = useState<readonly KeyedNotice[]>([]);
  const [spoken, setSpoken] = useState('');
  // Outlives the effect: the notices of an earlier connection may still be shown.
  const count = useRef(0);
  useEffect(
    () =>
      connection.onNotice((notice) => {
        if (notice.tone === 'spoken') return setSpoken(notice.text);
        const key = (count.current += 1);
        setShown((now) => [...now.slice(-3), { ...notice, key }]);
        window.setTimeout(() => setShown((now) => now.filter((other) => other.key !== key)), SHOWN_MS);
      }),
    [connection],
  );
  return (
    <div className="wc-notices" role="status" aria-live="polite">
      {shown.map(({ key, tone, text }) => (
        <p key={key} className={`wc-notice wc-notice-${tone}`}>
          {text}
        </p>
      ))}
      <p className="wc-spoken">{spoken}</p>
    </div>
  );
}
