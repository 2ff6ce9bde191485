/** The cursors of other people. They have canvas coordinates, so they stay in place while this user pans. */
import { useStore, ViewportPortal } from '@xyflow/react';
import { useSyncExternalStore } from 'react';
import { useEditing } from './context.ts';

export function Cursors() {
  const { collaborators } = useEditing().connection;
  useSyncExternalStore(collaborators.subscribe, () => collaborators.version);
  const zoom = useStore((state) => Math.round(state.transform[2] * 20) / 20);
  return (
    <ViewportPortal>
      {collaborators.list.map(({ sessionId, name, color }) => (
        <div
          key={sessionId}
          className="wc-cursor"
          data-cursor={name}
          ref={(element) => collaborators.attach(sessionId, element)}
          style={{ scale: String(1 / Math.max(zoom, 0.05)), color }}
        >
          <svg width="16" height="20" viewBox="0 0 16 20" aria-hidden>
            <path d="M1 1l13 8-6 1.5L5 17z" fill="currentColor" stroke="#fff" strokeWidth="1.2" />
          </svg>
          <span style={{ background: `color-mix(in srgb, ${color} 60%, #000)` }}>{name}</span>
        </div>
      ))}
    </ViewportPortal>
  );
}
