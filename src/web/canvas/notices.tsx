/** Messages that disappear by themselves: refused and overtaken edits, pastes, lost locks. */
import { useEffect, useState } from 'react';
import { useEditing } from './context.ts';
import type { Notice } from './canvas-connection.ts';

const SHOWN_MS = 6_000;

interface Shown extends Notice {
  readonly key: number;
}

export function Notices() {
  const { connection } = useEditing();
  const [shown, setShown] = useState<readonly Shown[]>([]);
  const [spoken, setSpoken] = useState('');
  useEffect(() => {
    let key = 0;
    return connection.onNotice((notice) => {
      if (notice.tone === 'spoken') return setSpoken(notice.text);
      key += 1;
      const one = { ...notice, key };
      setShown((now) => [...now.slice(-3), one]);
      window.setTimeout(() => setShown((now) => now.filter((other) => other.key !== one.key)), SHOWN_MS);
    });
  }, [connection]);
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
