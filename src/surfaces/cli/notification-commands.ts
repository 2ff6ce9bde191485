/** The commands `notifications` and `alerts`: endpoints that receive events, and rules that watch runs. */
import type { Command } from 'commander';
import type { Body } from '../client/client.ts';
import { addAddressCommands, addIdCommand } from './address-commands.ts';
import { addDelete, printList } from './resource-commands.ts';
import type { Sessions } from './session.ts';

const COLUMNS = ['id', 'name', 'enabled', 'disabled_reason', 'last_delivery_at', 'url'] as const;

interface NewEndpointOptions {
  readonly name: string;
  readonly event?: string[];
  readonly workflow?: string[];
}

export function addNotifications(program: Command, sessions: Sessions): void {
  const notifications = program
    .command('notifications')
    .description('Manage endpoints that receive events about runs, deployments and alerts');
  notifications
    .command('list')
    .description('List endpoints')
    .action(async (_: object, command: Command) => {
      const session = await sessions.open(command);
      await printList(session.client.notificationEndpoints.list(), COLUMNS, session);
    });
  notifications
    .command('create')
    .description('Create an endpoint; its signing secret is shown only once')
    .argument('<url>')
    .requiredOption('--name <name>', 'name')
    .option('--event <type...>', 'events, such as run.failed (default: all)')
    .option('--workflow <workflow_id...>', 'only events of these workflows')
    .action(async (...[url, options, command]: [string, NewEndpointOptions, Command]) => {
      const { client, screen } = await sessions.open(command);
      const { name, event, workflow } = options;
      const body = {
        name,
        url,
        ...(event === undefined ? {} : { event_types: event }),
        ...(workflow === undefined ? {} : { workflow_ids: workflow }),
      };
      screen.json(await client.notificationEndpoints.create(body as Body<'createNotificationEndpoint'>));
    });
  addAddressCommands(notifications, sessions, {
    ids: ['endpoint_id'],
    noun: 'endpoint',
    descriptions: {
      enable: 'Enable an endpoint',
      disable: 'Disable an endpoint',
      rotate: 'Give an endpoint a new signing secret; it is shown only once',
      keep: 'how long requests are also signed with the previous secret',
      deliveries: 'List the deliveries of the last 7 days',
      delete: 'Delete an endpoint and its deliveries',
    },
    columns: ['id', 'event_type', 'status', 'attempt_count', 'error_code', 'created_at'],
    enable: ({ notificationEndpoints: all }, [id = ''], enabled) => all.update(id, { enabled }),
    rotate: ({ notificationEndpoints: all }, [id = ''], seconds) =>
      all.rotate(id, { keep_previous_seconds: seconds }),
    list: ({ notificationEndpoints: all }, [id = '']) => all.deliveries(id),
    delete: ({ notificationEndpoints: all }, [id = '']) => all.delete(id),
  });
  const test = notifications.command('test').description('Send a test event to an endpoint');
  addIdCommand(test, ['endpoint_id'], {
    sessions,
    run: async ({ client, screen }, [id = '']) => screen.json(await client.notificationEndpoints.test(id)),
  });
  const replay = notifications.command('replay').description('Deliver an event again');
  addIdCommand(replay, ['endpoint_id', 'delivery_id'], {
    sessions,
    run: async ({ client, screen }, [endpointId = '', deliveryId = '']) =>
      screen.json(await client.notificationEndpoints.replay({ endpointId, deliveryId })),
  });
}

interface NewAlertOptions {
  readonly name: string;
  readonly workflow?: string;
  readonly threshold?: string;
  readonly window?: string;
}

export function addAlerts(program: Command, sessions: Sessions): void {
  const alerts = program.command('alerts').description('Manage alerts about the runs of the organization');
  alerts
    .command('list')
    .description('List alerts; firing_since is set while an alert fires')
    .action(async (_: object, command: Command) => {
      const session = await sessions.open(command);
      const columns = ['id', 'name', 'kind', 'threshold', 'window_minutes', 'firing_since'] as const;
      await printList(session.client.alerts.list(), columns, session);
    });
  alerts
    .command('create')
    .description('Create an alert; it sends alert.fired when it fires and alert.resolved when it is resolved')
    .argument('<kind>', 'failures_in_row, failure_rate, silence, duration or cost')
    .requiredOption('--name <name>', 'name')
    .option('--workflow <workflow_id>', 'only runs of this workflow')
    .option('--threshold <number>', 'value at which the alert fires')
    .option('--window <minutes>', 'length of the window in minutes')
    .action(async (...[kind, options, command]: [string, NewAlertOptions, Command]) => {
      const { client, screen } = await sessions.open(command);
      const { name, workflow, threshold, window } = options;
      const body = {
        kind,
        name,
        ...(workflow === undefined ? {} : { workflow_id: workflow }),
        ...(threshold === undefined ? {} : { threshold: Number(threshold) }),
        ...(window === undefined ? {} : { window_minutes: Number(window) }),
      };
      screen.json(await client.alerts.create(body as Body<'createAlert'>));
    });
  addDelete(alerts, sessions, {
    resource: 'alert',
    argument: '<alert_id>',
    description: 'Delete an alert',
    delete: (client, id) => client.alerts.delete(id),
  });
}
