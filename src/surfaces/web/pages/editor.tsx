/** The canvas of one workflow, as large as the window. */
import { getRouteApi, Link } from '@tanstack/react-router';
import { Editor } from '../canvas/editor.tsx';
import { useTitle } from '../kit/use-title.ts';
import { useWorkflowName } from '../kit/use-workflow-name.ts';
import { words } from '../words.ts';

const route = getRouteApi('/workflows/$workflowId');

export function EditorPage() {
  const { workflowId } = route.useParams();
  const { node, run, restore, compose = false } = route.useSearch();
  const { app } = route.useRouteContext();
  const navigate = route.useNavigate();
  const { client, session, organizationId, config, undoStacks, leaving } = app;
  useTitle(useWorkflowName({ client, organizationId, workflowId }) ?? words.canvas.title);
  return (
    <div style={{ height: 'calc(100dvh - var(--app-shell-header-height) - var(--app-shell-footer-height))' }}>
      <Editor
        workflowId={workflowId}
        organizationId={organizationId}
        session={session}
        undoStacks={undoStacks}
        leaving={leaving}
        {...(config.realtime_url === null ? {} : { realtimeUrl: config.realtime_url })}
        isComposing={compose}
        {...(node === undefined ? {} : { node })}
        {...(run === undefined ? {} : { run })}
        {...(restore === undefined ? {} : { restore })}
        back={
          <Link to="/" className="wc-button">
            {words.workflows}
          </Link>
        }
        links={
          <Link to="/workflows/$workflowId/versions" params={{ workflowId }} className="wc-button">
            {words.versions}
          </Link>
        }
        onNavigate={(to) =>
          void navigate({
            search: (before) => (before.run === undefined ? to : { ...to, run: before.run }),
            replace: true,
          })
        }
        onLeaveRun={() =>
          void navigate({
            search: ({ node: open }) => (open === undefined ? {} : { node: open }),
            replace: true,
          })
        }
      />
    </div>
  );
}
