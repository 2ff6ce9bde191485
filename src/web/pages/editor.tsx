/** The canvas of one workflow, as large as the window. */
import { getRouteApi } from '@tanstack/react-router';
import { Editor } from '../canvas/editor.tsx';

const route = getRouteApi('/workflows/$workflowId');

export function EditorPage() {
  const { workflowId } = route.useParams();
  const { node } = route.useSearch();
  const { place } = route.useRouteContext();
  const navigate = route.useNavigate();
  const { session, organizationId, config } = place;
  return (
    <div style={{ height: 'calc(100dvh - 52px)' }}>
      <Editor
        workflowId={workflowId}
        organizationId={organizationId}
        session={session}
        {...(config.realtime_url === null ? {} : { realtimeUrl: config.realtime_url })}
        {...(node === undefined ? {} : { node })}
        onNavigate={(to) => void navigate({ search: to, replace: true })}
      />
    </div>
  );
}
