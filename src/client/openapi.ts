/** Written by `npm run docs` from the OpenAPI document; do not edit. cdc14595ef850be1126246b6050a7199f40a17de266ebd61f39d50ac1a44f449 */
export interface paths {
    "/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Service root
         * @description No credential is read.
         */
        get: operations["getServiceRoot"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/system/health": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Liveness; asks nothing else
         * @description No credential is read.
         */
        get: operations["getHealth"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/metrics": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Metrics for operators in the Prometheus format; without X-Health-API-Key there is nothing here
         * @description No credential is read.
         */
        get: operations["getMetrics"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/system/health/oauth": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Health report for operators; needs X-Health-API-Key
         * @description No credential is read.
         */
        get: operations["getHealthReport"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/workflows": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List workflows
         * @description For members of the organization in X-Organization-ID.
         */
        get: operations["listWorkflows"];
        put?: never;
        /**
         * Create a workflow
         * @description For owners and admins of the organization in X-Organization-ID.
         */
        post: operations["createWorkflow"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/workflows/{workflow_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a workflow
         * @description For members of the organization in X-Organization-ID.
         */
        get: operations["getWorkflow"];
        /**
         * Change the supplied fields of a workflow
         * @description For owners and admins of the organization in X-Organization-ID.
         */
        put: operations["putWorkflow"];
        post?: never;
        /**
         * Delete a workflow, its deployments and its edit history
         * @description For owners and admins of the organization in X-Organization-ID.
         */
        delete: operations["deleteWorkflow"];
        options?: never;
        head?: never;
        /**
         * Change the supplied fields of a workflow
         * @description For owners and admins of the organization in X-Organization-ID.
         */
        patch: operations["updateWorkflow"];
        trace?: never;
    };
    "/workflow-usage/{workflow_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the workflows that call this one, in their live deployments or their drafts
         * @description For members of the organization in X-Organization-ID.
         */
        get: operations["getWorkflowUsage"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/workflows/{workflow_id}/nodes/{node_id}/pin": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Pin the output of a node in a past run: it stands in for the node in test runs of the draft
         * @description For owners and admins of the organization in X-Organization-ID.
         */
        post: operations["pinNode"];
        /**
         * Remove the pin and the mock of a node of the draft
         * @description For owners and admins of the organization in X-Organization-ID.
         */
        delete: operations["unpinNode"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/workflows/run": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Run the live deployment of a workflow, or an inline definition
         * @description For members of the organization in X-Organization-ID. Passes the billing gate, which denies before anything is written.
         */
        post: operations["startRun"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/workflows/run/batch": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Run the live deployment of a workflow once for each of up to 1,000 inputs
         * @description For members of the organization in X-Organization-ID. Passes the billing gate, which denies before anything is written.
         */
        post: operations["startRunBatch"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/workflows/listen/{run_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Follow the events of a run
         * @description For members of the organization in X-Organization-ID.
         */
        get: operations["listenToRun"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/workflows/resume/{run_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Answer the questions of an interrupted run
         * @description For members of the organization in X-Organization-ID. Passes the billing gate, which denies before anything is written.
         */
        post: operations["resumeRun"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/workflows/cancel/{run_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Cancel a run
         * @description For members of the organization in X-Organization-ID.
         */
        post: operations["cancelRun"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/workflow-runs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the history of runs, newest first
         * @description For members of the organization in X-Organization-ID.
         */
        get: operations["listRuns"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/interrupts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the open questions of the organization, newest first
         * @description For members of the organization in X-Organization-ID.
         */
        get: operations["listInterrupts"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/workflow-runs/{run_pk}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read the record of a run by its history id
         * @description For members of the organization in X-Organization-ID.
         */
        get: operations["getRun"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/workflow-runs/{run_pk}/definition": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read the definition that a run has walked
         * @description For members of the organization in X-Organization-ID.
         */
        get: operations["getRunDefinition"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/workflow-runs/{run_pk}/compare/{other_run_pk}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Compare two runs node by node
         * @description For members of the organization in X-Organization-ID.
         */
        get: operations["compareRuns"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/workflows/{workflow_id}/nodes/{node_id}/test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Run one node of the draft alone, in private
         * @description For members of the organization in X-Organization-ID. Passes the billing gate, which denies before anything is written.
         */
        post: operations["testNode"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/workflow-runs/{run_pk}/rerun": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Run a run again from any of its nodes, and reuse what is known
         * @description For members of the organization in X-Organization-ID. Passes the billing gate, which denies before anything is written.
         */
        post: operations["rerunRun"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/workflow-runs/{run_pk}/steps/{step_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read one step with its full values
         * @description For members of the organization in X-Organization-ID.
         */
        get: operations["getRunStep"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/workflows/{workflow_id}/deploy": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Deploy the workflow as it stands and make that snapshot live
         * @description For owners and admins of the organization in X-Organization-ID.
         */
        post: operations["deployWorkflow"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/workflows/{workflow_id}/deployments": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the deployments of a workflow, newest first
         * @description For owners and admins of the organization in X-Organization-ID.
         */
        get: operations["listDeployments"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/workflows/{workflow_id}/deployments/live": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Take the live deployment off
         * @description For owners and admins of the organization in X-Organization-ID.
         */
        delete: operations["deactivateLiveDeployment"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/workflows/{workflow_id}/deployments/{deployment_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a deployment with its snapshot
         * @description For owners and admins of the organization in X-Organization-ID.
         */
        get: operations["getDeployment"];
        put?: never;
        post?: never;
        /**
         * Delete a deployment; the one before a live one becomes live
         * @description For owners and admins of the organization in X-Organization-ID.
         */
        delete: operations["deleteDeployment"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/workflows/{workflow_id}/deployments/{deployment_id}/activate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Make a deployment live; the draft stays as it is
         * @description For owners and admins of the organization in X-Organization-ID.
         */
        put: operations["activateDeployment"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/organizations": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the caller's organizations
         * @description For any authenticated user; X-Organization-ID is not needed.
         */
        get: operations["listOrganizations"];
        put?: never;
        /**
         * Create an organization; the caller becomes its owner
         * @description For any authenticated user; X-Organization-ID is not needed.
         */
        post: operations["createOrganization"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/organizations/{organization_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read the settings of the organization
         * @description For owners and admins of the organization in X-Organization-ID. Not counted by the organization's request limit.
         */
        get: operations["getOrganization"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Change the supplied settings of the organization
         * @description For owners and admins of the organization in X-Organization-ID. Not counted by the organization's request limit.
         */
        patch: operations["updateOrganization"];
        trace?: never;
    };
    "/organizations/{organization_id}/members": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the members of the organization
         * @description For owners and admins of the organization in X-Organization-ID. Not counted by the organization's request limit.
         */
        get: operations["listMembers"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/organizations/{organization_id}/members/{user_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Take a member out of the organization, or leave it; access ends at once
         * @description For owners and admins of the organization in X-Organization-ID. Not counted by the organization's request limit.
         */
        delete: operations["removeMember"];
        options?: never;
        head?: never;
        /**
         * Change the role of a member; owners are made and unmade by owners
         * @description For owners and admins of the organization in X-Organization-ID. Not counted by the organization's request limit.
         */
        patch: operations["changeMemberRole"];
        trace?: never;
    };
    "/organizations/{organization_id}/invitations": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the pending invitations of the organization
         * @description For owners and admins of the organization in X-Organization-ID. Not counted by the organization's request limit.
         */
        get: operations["listInvitations"];
        put?: never;
        /**
         * Invite an address as an admin; 200 for one that is invited already
         * @description For owners and admins of the organization in X-Organization-ID. Not counted by the organization's request limit.
         */
        post: operations["createInvitation"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/organizations/{organization_id}/invitations/{invitation_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Withdraw a pending invitation
         * @description For owners and admins of the organization in X-Organization-ID. Not counted by the organization's request limit.
         */
        delete: operations["withdrawInvitation"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/invitations/my": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Pending invitations to the caller's verified address; none for API keys, which vouch for no address
         * @description For any authenticated user; X-Organization-ID is not needed.
         */
        get: operations["listMyInvitations"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/invitations/{invitation_id}/accept": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Accept an invitation; needs a token with a verified address
         * @description For any authenticated user; X-Organization-ID is not needed.
         */
        post: operations["acceptInvitation"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/invitations/{invitation_id}/decline": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Decline a pending invitation; needs a token with a verified address
         * @description For any authenticated user; X-Organization-ID is not needed.
         */
        post: operations["declineInvitation"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/credentials": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the credentials of the organization, newest first
         * @description For members of the organization in X-Organization-ID.
         */
        get: operations["listCredentials"];
        put?: never;
        /**
         * Store an account of another service; its secret is encrypted and never returned
         * @description For owners and admins of the organization in X-Organization-ID.
         */
        post: operations["createCredential"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/credentials/oauth/start": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Begin the authorization of an account at its provider
         * @description For owners and admins of the organization in X-Organization-ID.
         */
        post: operations["startAuthorization"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/credentials/oauth/callback": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * End an authorization with what the provider sent the browser back with
         * @description For owners and admins of the organization in X-Organization-ID.
         */
        post: operations["finishAuthorization"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/credentials/{credential_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a credential, without its secret
         * @description For members of the organization in X-Organization-ID.
         */
        get: operations["getCredential"];
        put?: never;
        post?: never;
        /**
         * Delete a credential that no workflow and no knowledge base uses
         * @description For owners and admins of the organization in X-Organization-ID.
         */
        delete: operations["deleteCredential"];
        options?: never;
        head?: never;
        /**
         * Change a credential: its name, its data as a whole, its hosts, or revoke it
         * @description For owners and admins of the organization in X-Organization-ID.
         */
        patch: operations["updateCredential"];
        trace?: never;
    };
    "/credentials/{credential_id}/test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Try a credential with one harmless request
         * @description For owners and admins of the organization in X-Organization-ID.
         */
        post: operations["testCredential"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/credentials/{credential_id}/tools": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the tools that the MCP server of a credential offers
         * @description For owners and admins of the organization in X-Organization-ID.
         */
        get: operations["listCredentialTools"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/integrations": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the integration catalog, without the schemas of actions
         * @description For members of the organization in X-Organization-ID.
         */
        get: operations["listIntegrations"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/integrations/{name}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read an integration with the schemas of its actions
         * @description For members of the organization in X-Organization-ID.
         */
        get: operations["getIntegration"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api-keys": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the caller's API keys, revoked ones included
         * @description For any authenticated user; X-Organization-ID is not needed.
         */
        get: operations["listApiKeys"];
        put?: never;
        /**
         * Create an API key; the answer holds the key itself, once
         * @description For any authenticated user; X-Organization-ID is not needed.
         */
        post: operations["createApiKey"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api-keys/{api_key_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read an API key
         * @description For any authenticated user; X-Organization-ID is not needed.
         */
        get: operations["getApiKey"];
        put?: never;
        post?: never;
        /**
         * Revoke an API key for good
         * @description For any authenticated user; X-Organization-ID is not needed.
         */
        delete: operations["revokeApiKey"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/me": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The authenticated user
         * @description For any authenticated user; X-Organization-ID is not needed.
         */
        get: operations["getMe"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/me/organizations": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The caller's organizations and the role in each
         * @description For any authenticated user; X-Organization-ID is not needed.
         */
        get: operations["listMyOrganizations"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/composer/chats": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the caller's composer chats, newest first
         * @description For owners and admins of the organization in X-Organization-ID.
         */
        get: operations["listComposerChats"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/composer/chats/{chat_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read one of the caller's composer chats
         * @description For owners and admins of the organization in X-Organization-ID.
         */
        get: operations["getComposerChat"];
        put?: never;
        post?: never;
        /**
         * Delete a chat and what its models remember; the records of its runs stay
         * @description For owners and admins of the organization in X-Organization-ID.
         */
        delete: operations["deleteComposerChat"];
        options?: never;
        head?: never;
        /**
         * Name or pin a chat
         * @description For owners and admins of the organization in X-Organization-ID.
         */
        patch: operations["updateComposerChat"];
        trace?: never;
    };
    "/composer/chats/{chat_id}/messages": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List what was said in a chat, newest first
         * @description For owners and admins of the organization in X-Organization-ID.
         */
        get: operations["listComposerMessages"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/assistant/chats": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the caller's assistant chats, newest first
         * @description For owners and admins of the organization in X-Organization-ID.
         */
        get: operations["listAssistantChats"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/assistant/chats/{chat_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read one of the caller's assistant chats
         * @description For owners and admins of the organization in X-Organization-ID.
         */
        get: operations["getAssistantChat"];
        put?: never;
        post?: never;
        /**
         * Delete a chat and what its models remember; the records of its runs stay
         * @description For owners and admins of the organization in X-Organization-ID.
         */
        delete: operations["deleteAssistantChat"];
        options?: never;
        head?: never;
        /**
         * Name or pin a chat
         * @description For owners and admins of the organization in X-Organization-ID.
         */
        patch: operations["updateAssistantChat"];
        trace?: never;
    };
    "/assistant/chats/{chat_id}/messages": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List what was said in a chat, newest first
         * @description For owners and admins of the organization in X-Organization-ID.
         */
        get: operations["listAssistantMessages"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/assistant/chat": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send a message to the Assistant and follow its answer at stream_url
         * @description For owners and admins of the organization in X-Organization-ID. Passes the billing gate, which denies before anything is written.
         */
        post: operations["sendAssistantMessage"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/composer/chat": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Have a workflow written, or changed, and follow that at stream_url
         * @description For owners and admins of the organization in X-Organization-ID. Passes the billing gate, which denies before anything is written.
         */
        post: operations["sendComposerMessage"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/subscriptions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read the organization's plan, credits and wallet
         * @description For owners and admins of the organization in X-Organization-ID. Not counted by the organization's request limit.
         */
        get: operations["getSubscription"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/subscriptions/usage/daily": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read what each of the last days has used, oldest first; a day without use is there with zeros
         * @description For owners and admins of the organization in X-Organization-ID. Not counted by the organization's request limit.
         */
        get: operations["getDailyUsage"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/subscriptions/wallet/ledger": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List what moved the wallet, newest first
         * @description For owners and admins of the organization in X-Organization-ID. Not counted by the organization's request limit.
         */
        get: operations["listWalletLedger"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/subscriptions/wallet/extra-usage": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Turn the use of the wallet beyond the month's allowance on or off
         * @description For owners and admins of the organization in X-Organization-ID. Not counted by the organization's request limit.
         */
        post: operations["setExtraUsage"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/subscriptions/wallet/topup": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Begin a payment into the wallet
         * @description For owners and admins of the organization in X-Organization-ID. Not counted by the organization's request limit.
         */
        post: operations["startTopup"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/webhooks/stripe": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Stripe's events, signed with the secret of the webhook endpoint
         * @description No credential is read.
         */
        post: operations["receiveStripeEvent"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/schedules": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the schedules of the organization, newest first
         * @description For owners and admins of the organization in X-Organization-ID.
         */
        get: operations["listSchedules"];
        put?: never;
        /**
         * Run a workflow at set times: its live deployment at each of them
         * @description For owners and admins of the organization in X-Organization-ID.
         */
        post: operations["createSchedule"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/schedules/{schedule_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a schedule
         * @description For owners and admins of the organization in X-Organization-ID.
         */
        get: operations["getSchedule"];
        put?: never;
        post?: never;
        /**
         * Delete a schedule; the records of its runs stay
         * @description For owners and admins of the organization in X-Organization-ID.
         */
        delete: operations["deleteSchedule"];
        options?: never;
        head?: never;
        /**
         * Change the supplied fields of a schedule
         * @description For owners and admins of the organization in X-Organization-ID.
         */
        patch: operations["updateSchedule"];
        trace?: never;
    };
    "/schedules/{schedule_id}/pause": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Stop firing until it is resumed
         * @description For owners and admins of the organization in X-Organization-ID.
         */
        post: operations["pauseSchedule"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/schedules/{schedule_id}/resume": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Fire again from now on
         * @description For owners and admins of the organization in X-Organization-ID.
         */
        post: operations["resumeSchedule"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/schedules/{schedule_id}/trigger": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Fire now, under the overlap policy of the schedule; its run shows up in its runs
         * @description For owners and admins of the organization in X-Organization-ID.
         */
        post: operations["triggerSchedule"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/schedules/{schedule_id}/runs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the runs of a schedule, newest first
         * @description For owners and admins of the organization in X-Organization-ID.
         */
        get: operations["listScheduleRuns"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/schedules/{schedule_id}/firings": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List when a schedule fires next, and what a change of the clocks drops or doubles
         * @description For owners and admins of the organization in X-Organization-ID.
         */
        get: operations["listScheduleFirings"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/workflows/{workflow_id}/hooks": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the webhooks of a workflow, newest first
         * @description For owners and admins of the organization in X-Organization-ID.
         */
        get: operations["listHooks"];
        put?: never;
        /**
         * Create a webhook: an address at which another service starts runs of the workflow
         * @description For owners and admins of the organization in X-Organization-ID.
         */
        post: operations["createHook"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/workflows/{workflow_id}/hooks/{hook_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a webhook
         * @description For owners and admins of the organization in X-Organization-ID.
         */
        get: operations["getHook"];
        put?: never;
        post?: never;
        /**
         * Delete a webhook and its log; the runs that it started stay
         * @description For owners and admins of the organization in X-Organization-ID.
         */
        delete: operations["deleteHook"];
        options?: never;
        head?: never;
        /**
         * Change the supplied fields of a webhook; `secrets` replaces all of them
         * @description For owners and admins of the organization in X-Organization-ID.
         */
        patch: operations["updateHook"];
        trace?: never;
    };
    "/workflows/{workflow_id}/hooks/{hook_id}/rotate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Give a webhook a new address; the previous one stays valid for a while
         * @description For owners and admins of the organization in X-Organization-ID.
         */
        post: operations["rotateHook"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/workflows/{workflow_id}/hooks/{hook_id}/deliveries": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the requests that a webhook has received in the last 7 days, newest first
         * @description For owners and admins of the organization in X-Organization-ID.
         */
        get: operations["listHookDeliveries"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/workflows/{workflow_id}/hooks/{hook_id}/deliveries/{delivery_id}/redeliver": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Deliver a request again, as a new run
         * @description For owners and admins of the organization in X-Organization-ID. Passes the billing gate, which denies before anything is written.
         */
        post: operations["redeliverHook"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/hooks/{token}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Start a run: the address of a webhook, for the service that sends it
         * @description No credential is read. Passes the billing gate, which denies before anything is written.
         */
        get: operations["getToHook"];
        /**
         * Start a run: the address of a webhook, for the service that sends it
         * @description No credential is read. Passes the billing gate, which denies before anything is written.
         */
        put: operations["putToHook"];
        /**
         * Start a run: the address of a webhook, for the service that sends it
         * @description No credential is read. Passes the billing gate, which denies before anything is written.
         */
        post: operations["postToHook"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/requests": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Ask for support
         * @description For any authenticated user; X-Organization-ID is not needed.
         */
        post: operations["createRequest"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/support": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Ask for support (deprecated alias of POST /requests)
         * @deprecated
         * @description For any authenticated user; X-Organization-ID is not needed.
         */
        post: operations["createSupportRequest"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/knowledge-bases": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the knowledge bases of the organization, newest first
         * @description For owners and admins of the organization in X-Organization-ID.
         */
        get: operations["listKnowledgeBases"];
        put?: never;
        /**
         * Create a knowledge base: managed, or on the organization's own account
         * @description For owners and admins of the organization in X-Organization-ID. Passes the billing gate, which denies before anything is written.
         */
        post: operations["createKnowledgeBase"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/knowledge-bases/{knowledge_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a knowledge base and its counts
         * @description For owners and admins of the organization in X-Organization-ID.
         */
        get: operations["getKnowledgeBase"];
        put?: never;
        post?: never;
        /**
         * Delete a knowledge base with its documents
         * @description For owners and admins of the organization in X-Organization-ID.
         */
        delete: operations["deleteKnowledgeBase"];
        options?: never;
        head?: never;
        /**
         * Change a knowledge base; its config only while it has no documents
         * @description For owners and admins of the organization in X-Organization-ID.
         */
        patch: operations["updateKnowledgeBase"];
        trace?: never;
    };
    "/knowledge-bases/{knowledge_id}/search": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Find the passages of a knowledge base that are nearest to a query
         * @description For owners and admins of the organization in X-Organization-ID. Passes the billing gate, which denies before anything is written.
         */
        post: operations["searchKnowledgeBase"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/knowledge-bases/{knowledge_id}/documents": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the documents of a knowledge base, newest first
         * @description For owners and admins of the organization in X-Organization-ID.
         */
        get: operations["listDocuments"];
        put?: never;
        /**
         * Upload a document; the same content is the same document
         * @description For owners and admins of the organization in X-Organization-ID. Passes the billing gate, which denies before anything is written.
         */
        post: operations["uploadDocument"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/knowledge-bases/{knowledge_id}/documents/{document_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a document: how far its ingest is, or why it failed
         * @description For owners and admins of the organization in X-Organization-ID.
         */
        get: operations["getDocument"];
        put?: never;
        post?: never;
        /**
         * Delete a document and its chunks
         * @description For owners and admins of the organization in X-Organization-ID.
         */
        delete: operations["deleteDocument"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/knowledge-bases/{knowledge_id}/documents/{document_id}/retry": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Take a failed document in once more
         * @description For owners and admins of the organization in X-Organization-ID. Passes the billing gate, which denies before anything is written.
         */
        post: operations["retryDocument"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/knowledge-bases/{knowledge_id}/documents/{document_id}/chunks": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the chunks of a document, in their order
         * @description For owners and admins of the organization in X-Organization-ID.
         */
        get: operations["listDocumentChunks"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/openapi.json": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * This document
         * @description No credential is read.
         */
        get: operations["getOpenApi"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        AgentToolOptions: {
            /**
             * @description What kind of tool it is
             * @enum {string}
             */
            kind: "http" | "integration" | "mcp" | "workflow" | "knowledge";
            /** @description What the model calls it; null: by what it is, where that has a name */
            name?: string | null;
            /** @description What the model is told about it; null: what is known of the tool itself */
            description?: string | null;
            /** @description JSON Schema of the arguments; null: what is known of the tool itself */
            input_schema?: {
                [key: string]: components["schemas"]["Json"];
            } | null;
            /** @description Fixed arguments, which the model neither sees nor changes */
            parameters?: {
                [key: string]: components["schemas"]["Json"];
            } | null;
            /**
             * @description `auto`: the model may call it; `force`: it must be called once; `none`: it is not offered
             * @default auto
             * @enum {string}
             */
            usage?: "auto" | "force" | "none";
            /** @description Whether people are asked before each call; null: never */
            approval?: ("never" | "always") | null;
            /** @description After how many seconds without an answer the call counts as rejected; null: never */
            approval_timeout_seconds?: number | null;
            /** @description Who may answer; null, or nobody named: anybody of the organization */
            approval_assignees?: {
                /**
                 * @description Roles in the organization, any of which will do
                 * @default []
                 */
                roles?: string[];
                /**
                 * @description Ids of users, any of whom will do
                 * @default []
                 */
                user_ids?: string[];
            } | null;
        };
        AgentTool: components["schemas"]["AgentToolOptions"] & Omit<components["schemas"]["HttpToolConfig"] | components["schemas"]["IntegrationToolConfig"] | components["schemas"]["McpToolConfig"] | components["schemas"]["WorkflowToolConfig"] | components["schemas"]["KnowledgeToolConfig"], "kind">;
        KnowledgeToolConfig: {
            /**
             * @description The word that says which of the alternatives this is (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            kind: "knowledge";
            /** @description Ids of the knowledge bases to search */
            knowledge_base_ids: string[];
            /**
             * @description How many matches there are at most
             * @default 5
             */
            top_k?: number;
            /**
             * @description Matches with a lower score are left out
             * @default 0
             */
            min_score?: number;
            /** @description Conditions over doc_metadata and chunk_metadata; null: none */
            filters?: {
                [key: string]: components["schemas"]["Json"];
            } | null;
            /**
             * @description By meaning
             * @default vector
             * @constant
             */
            search_mode?: "vector";
            /**
             * @description Whether matches have their text
             * @default true
             */
            include_content?: boolean;
            /**
             * @description Whether matches have their metadata
             * @default true
             */
            include_metadata?: boolean;
        };
        GuardrailCheck: components["schemas"]["PiiGuardrailCheck"] | components["schemas"]["SecretKeysGuardrailCheck"] | components["schemas"]["KeywordsGuardrailCheck"] | components["schemas"]["RegexGuardrailCheck"] | components["schemas"]["UrlsGuardrailCheck"] | components["schemas"]["JsonSchemaGuardrailCheck"] | components["schemas"]["MaxLengthGuardrailCheck"] | components["schemas"]["ModerationGuardrailCheck"] | components["schemas"]["JailbreakGuardrailCheck"] | components["schemas"]["TopicGuardrailCheck"] | components["schemas"]["GroundingGuardrailCheck"] | components["schemas"]["CustomGuardrailCheck"];
        LlmNodeConfig: {
            /** @description Name of the provider of the model */
            provider: string;
            /** @description Name of the model, as its provider calls it */
            model: string;
            /** @description Id of the credential with the account to use; null: the managed model of the deployment */
            credential_id?: string | null;
            /** @description What the model is told, in this order; what the thread remembers stands behind the system words */
            messages: {
                /**
                 * @description Who says it
                 * @enum {string}
                 */
                role: "system" | "user" | "assistant";
                /** @description A text, or a template of one */
                content: components["schemas"]["Json"];
            }[];
            /** @description How the model answers; null: as its provider has it */
            parameters?: {
                /** @description How much the answers vary, 0 to 2; null: as the provider has it */
                temperature?: number | null;
                /** @description How many tokens the answer may have; null: as the provider has it */
                max_output_tokens?: number | null;
                /** @description How much the model thinks first, in its provider's word; null: as the provider has it */
                reasoning_effort?: string | null;
            } | null;
            /** @description What the answer must be; null: any text */
            response_format?: {
                /**
                 * @description Text, any JSON object, or JSON by `schema`
                 * @enum {string}
                 */
                type: "text" | "json_object" | "json_schema";
                /** @description Asks the provider to hold the model to the schema */
                strict?: boolean;
                /** @description JSON Schema */
                schema?: {
                    [key: string]: components["schemas"]["Json"];
                };
            } | null;
            /** @description What the model remembers of the thread of the run; null: nothing */
            memory?: {
                /**
                 * @description Nothing, all messages of the thread up to 1,000, or the newest of them
                 * @default none
                 * @enum {string}
                 */
                mode?: "none" | "thread" | "window";
                /** @description With `window`, how many messages; null: 20 */
                max_messages?: number | null;
                /** @description With `window`, the tokens that the messages may have together, by estimate; null: any number */
                max_tokens?: number | null;
            } | null;
            /**
             * @description Whether tokens are told as `token` frames while they come
             * @default true
             */
            stream?: boolean;
        };
        ToolNodeConfig: components["schemas"]["HttpToolConfig"] | components["schemas"]["IntegrationToolConfig"] | components["schemas"]["McpToolConfig"] | components["schemas"]["WorkflowToolConfig"];
        AgentNodeConfig: {
            /** @description Name of the provider of the model */
            provider: string;
            /** @description Name of the model, as its provider calls it */
            model: string;
            /** @description Id of the credential with the account to use; null: the managed model of the deployment */
            credential_id?: string | null;
            /** @description What the model is told, in this order; what the thread remembers stands behind the system words */
            messages: {
                /**
                 * @description Who says it
                 * @enum {string}
                 */
                role: "system" | "user" | "assistant";
                /** @description A text, or a template of one */
                content: components["schemas"]["Json"];
            }[];
            /** @description How the model answers; null: as its provider has it */
            parameters?: {
                /** @description How much the answers vary, 0 to 2; null: as the provider has it */
                temperature?: number | null;
                /** @description How many tokens the answer may have; null: as the provider has it */
                max_output_tokens?: number | null;
                /** @description How much the model thinks first, in its provider's word; null: as the provider has it */
                reasoning_effort?: string | null;
            } | null;
            /** @description What the answer must be; null: any text */
            response_format?: {
                /**
                 * @description Text, any JSON object, or JSON by `schema`
                 * @enum {string}
                 */
                type: "text" | "json_object" | "json_schema";
                /** @description Asks the provider to hold the model to the schema */
                strict?: boolean;
                /** @description JSON Schema */
                schema?: {
                    [key: string]: components["schemas"]["Json"];
                };
            } | null;
            /** @description What the model remembers of the thread of the run; null: nothing */
            memory?: {
                /**
                 * @description Nothing, all messages of the thread up to 1,000, or the newest of them
                 * @default none
                 * @enum {string}
                 */
                mode?: "none" | "thread" | "window";
                /** @description With `window`, how many messages; null: 20 */
                max_messages?: number | null;
                /** @description With `window`, the tokens that the messages may have together, by estimate; null: any number */
                max_tokens?: number | null;
            } | null;
            /**
             * @description Whether tokens are told as `token` frames while they come
             * @default true
             */
            stream?: boolean;
            /** @description What the model may call; null: nothing */
            tools?: components["schemas"]["AgentTool"][] | null;
            /**
             * @description How many times the model is called at most
             * @default 10
             */
            max_iterations?: number;
            /**
             * @description How many tool calls there may be in all
             * @default 30
             */
            max_tool_calls?: number;
            /**
             * @description Whether the model may ask for several calls at once
             * @default true
             */
            parallel_tool_calls?: boolean;
        };
        FunctionNodeConfig: {
            /**
             * @description Only JavaScript
             * @default javascript
             * @constant
             */
            language?: "javascript";
            /** @description An ES module whose default export is called with `arguments`; never read for templates */
            code: string;
            /** @description What the function is called with; values may be templates */
            arguments?: components["schemas"]["Json"] | null;
            /** @description JSON Schema that the returned value must fit; null: any value */
            output_schema?: {
                [key: string]: components["schemas"]["Json"];
            } | null;
            /** @description What one call may use; null: the defaults */
            limits?: {
                /**
                 * @description Time of one call, in milliseconds
                 * @default 5000
                 */
                timeout_ms?: number;
                /**
                 * @description Memory of one call, in MiB
                 * @default 128
                 */
                memory_mb?: number;
            } | null;
            /**
             * @description Functions have none
             * @default none
             * @constant
             */
            network?: "none";
        };
        ConditionalNodeConfig: components["schemas"]["RulesConditionalConfig"] | components["schemas"]["LlmConditionalConfig"];
        InterruptNodeConfig: components["schemas"]["ApprovalInterruptConfig"] | components["schemas"]["InputInterruptConfig"] | components["schemas"]["WaitInterruptConfig"];
        TransformerNodeConfig: components["schemas"]["MapTransformerConfig"] | components["schemas"]["ListTransformerConfig"] | components["schemas"]["TemplateTransformerConfig"] | components["schemas"]["MergeTransformerConfig"];
        GuardrailsNodeConfig: {
            /** @description The text that is checked, or a template of it */
            input: components["schemas"]["Json"];
            /** @description What the text has to be grounded in; null: what the knowledge bases of the check say */
            context?: components["schemas"]["Json"] | null;
            /** @description What is checked; a model is asked only about what the others let pass */
            checks: components["schemas"]["GuardrailCheck"][];
            /**
             * @description A check that could not be made fails the node
             * @default fail
             * @constant
             */
            on_check_error?: "fail";
            /** @description Provider of the model that judges; null where no check needs one */
            provider?: string | null;
            /** @description The model that judges; null where no check needs one */
            model?: string | null;
            /** @description Id of the credential with the account to use; null: the managed model of the deployment */
            credential_id?: string | null;
        };
        KnowledgeNodeConfig: {
            /** @description Ids of the knowledge bases to search */
            knowledge_base_ids: string[];
            /**
             * @description How many matches there are at most
             * @default 5
             */
            top_k?: number;
            /**
             * @description Matches with a lower score are left out
             * @default 0
             */
            min_score?: number;
            /** @description Conditions over doc_metadata and chunk_metadata; null: none */
            filters?: {
                [key: string]: components["schemas"]["Json"];
            } | null;
            /**
             * @description By meaning
             * @default vector
             * @constant
             */
            search_mode?: "vector";
            /**
             * @description Whether matches have their text
             * @default true
             */
            include_content?: boolean;
            /**
             * @description Whether matches have their metadata
             * @default true
             */
            include_metadata?: boolean;
            /** @description What is searched for, in plain words */
            query: string;
        };
        HttpToolConfig: {
            /**
             * @description The word that says which of the alternatives this is (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            kind: "http";
            /**
             * @description `GET` when left out
             * @enum {string}
             */
            method?: "GET" | "HEAD" | "OPTIONS" | "POST" | "PUT" | "PATCH" | "DELETE";
            /** @description Address with templates in its path and query; each value stays one piece of it */
            url: string;
            /** @description Headers of the request by name; values may be templates */
            headers?: {
                [key: string]: components["schemas"]["Json"];
            } | null;
            /** @description Parameters of the query by name; values may be templates */
            query?: {
                [key: string]: components["schemas"]["Json"];
            } | null;
            /** @description Body of the request, built as the header `content-type` says: JSON, JSON lines, a form, multipart, XML; without one as JSON unless it is a text; null: none */
            body?: components["schemas"]["Json"] | null;
            /** @description Id of the credential to send with the request; null: none */
            credential_id?: string | null;
            /** @description From and to which status an answer is a failure; null: 400 to 599 */
            fail_on_status?: number[] | null;
            /** @description Of POST and PATCH: whether the request may be repeated when its outcome is not known; null: it may not */
            effect?: ("at_least_once" | "at_most_once") | null;
            /** @description The service behind the address tells repetitions by their `Idempotency-Key`, so the request may be repeated */
            idempotent?: boolean | null;
        };
        IntegrationToolConfig: {
            /**
             * @description The word that says which of the alternatives this is (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            kind: "integration";
            /** @description Name of the integration in the catalog */
            integration: string;
            /** @description The version of the integration that this was made for; null: any */
            integration_version?: string | null;
            /** @description Name of the action in the catalog */
            action: string;
            /** @description Id of the credential with the account to use; null: none */
            credential_id?: string | null;
            /** @description Parameters of the action by name; values may be templates */
            parameters?: {
                [key: string]: components["schemas"]["Json"];
            } | null;
        };
        McpToolConfig: {
            /**
             * @description The word that says which of the alternatives this is (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            kind: "mcp";
            /** @description Address of the MCP server; null: that of the credential's account */
            server_url?: string | null;
            /** @description Name of the server's tool */
            tool: string;
            /** @description Arguments of the tool by name; values may be templates */
            arguments?: {
                [key: string]: components["schemas"]["Json"];
            } | null;
            /** @description Id of the credential with the account to use; null: none */
            credential_id?: string | null;
            /** @description SHA-256, in hex, of what the server says of the tool: the call fails when that has changed; null: not checked */
            fingerprint?: string | null;
        };
        WorkflowToolConfig: {
            /**
             * @description The word that says which of the alternatives this is (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            kind: "workflow";
            /**
             * Format: uuid
             * @description Id of the workflow to run as a child
             */
            workflow_id: string;
            /**
             * @description `live`, the version of a deployment, or its id
             * @default live
             */
            deployment?: string;
            /** @description Input of the child; values may be templates */
            input?: components["schemas"]["Json"] | null;
            /**
             * @description Whether the node waits for the child to end, a day at most
             * @default true
             */
            wait?: boolean;
        };
        RulesConditionalConfig: {
            /**
             * @description `accepted`: 202 with the `run_id`; `result`: the output of the run, or 202 after 30 s
             * @default rules
             * @constant
             */
            mode?: "rules";
            /** @description What may be selected, in this order; the first case that holds wins */
            cases: ({
                /** @description The handle that the case selects */
                id: string;
                /** @description Shown to people */
                label?: string;
            } & (components["schemas"]["RuleGroup"] | components["schemas"]["Rule"]))[];
            /**
             * @description The handle when no case holds
             * @default else
             */
            default?: string;
        };
        LlmConditionalConfig: {
            /**
             * @description `accepted`: 202 with the `run_id`; `result`: the output of the run, or 202 after 30 s
             * @constant
             */
            mode: "llm";
            /** @description Name of the provider of the model */
            provider: string;
            /** @description Name of the model, as its provider calls it */
            model: string;
            /** @description Id of the credential with the account to use; null: the managed model of the deployment */
            credential_id?: string | null;
            /** @description What the model judges; may be a template */
            input: components["schemas"]["Json"];
            /** @description What may be selected, in this order; the first case that holds wins */
            cases: {
                /** @description The handle that the case selects */
                id: string;
                /**
                 * @description When the model shall choose it
                 * @default
                 */
                description?: string;
                /**
                 * @description Shown to people
                 * @default
                 */
                label?: string;
            }[];
            /**
             * @description The handle when the model chooses none of the cases
             * @default else
             */
            default?: string;
        };
        ApprovalInterruptConfig: {
            /**
             * @description The word that says which of the alternatives this is (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            kind: "approval";
            /**
             * @description The question in a line
             * @default
             */
            title?: string;
            /**
             * @description More about the question
             * @default
             */
            message?: string;
            /** @description What whoever answers shall see, or a template of it; null: nothing */
            payload?: components["schemas"]["Json"] | null;
            /** @description JSON Schema of the answer's data; null: any data */
            form?: {
                [key: string]: components["schemas"]["Json"];
            } | null;
            /** @description Who may answer; null, or nobody named: anybody of the organization */
            assignees?: {
                /**
                 * @description Roles in the organization, any of which will do
                 * @default []
                 */
                roles?: string[];
                /**
                 * @description Ids of users, any of whom will do
                 * @default []
                 */
                user_ids?: string[];
            } | null;
            /**
             * @description How many answers it takes; only 1 is supported
             * @default 1
             */
            required_responses?: number;
            /** @description How long to wait for an answer, in seconds; null: for ever */
            timeout_seconds?: number | null;
            /**
             * @description Without an answer in time: the node fails, takes the handle `timeout`, or `default_response` answers
             * @default fail
             * @enum {string}
             */
            on_timeout?: "fail" | "branch" | "default";
            /** @description The answer when nobody has answered in time; null: none */
            default_response?: {
                /** @description The action that it stands for; null: none */
                action?: string | null;
                /** @description The data of the answer; null: none */
                data?: components["schemas"]["Json"] | null;
            } | null;
            /** @description What may be answered */
            actions: {
                /** @description The handle that this answer selects */
                id: string;
                /** @description Shown to people; the id when left out */
                label?: string;
            }[];
        };
        InputInterruptConfig: {
            /**
             * @description The word that says which of the alternatives this is (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            kind: "input";
            /**
             * @description The question in a line
             * @default
             */
            title?: string;
            /**
             * @description More about the question
             * @default
             */
            message?: string;
            /** @description What whoever answers shall see, or a template of it; null: nothing */
            payload?: components["schemas"]["Json"] | null;
            /** @description JSON Schema of the answer's data; null: any data */
            form?: {
                [key: string]: components["schemas"]["Json"];
            } | null;
            /** @description Who may answer; null, or nobody named: anybody of the organization */
            assignees?: {
                /**
                 * @description Roles in the organization, any of which will do
                 * @default []
                 */
                roles?: string[];
                /**
                 * @description Ids of users, any of whom will do
                 * @default []
                 */
                user_ids?: string[];
            } | null;
            /**
             * @description How many answers it takes; only 1 is supported
             * @default 1
             */
            required_responses?: number;
            /** @description How long to wait for an answer, in seconds; null: for ever */
            timeout_seconds?: number | null;
            /**
             * @description Without an answer in time: the node fails, takes the handle `timeout`, or `default_response` answers
             * @default fail
             * @enum {string}
             */
            on_timeout?: "fail" | "branch" | "default";
            /** @description The answer when nobody has answered in time; null: none */
            default_response?: {
                /** @description The action that it stands for; null: none */
                action?: string | null;
                /** @description The data of the answer; null: none */
                data?: components["schemas"]["Json"] | null;
            } | null;
        };
        WaitInterruptConfig: {
            /**
             * @description The word that says which of the alternatives this is (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            kind: "wait";
            /** @description How long to wait, in seconds, or a template of it; a year at most */
            duration_seconds?: (number | string) | null;
            /** @description Until when to wait, ISO 8601, or a template of it; a moment that is past is no wait */
            until?: string | null;
        };
        MapTransformerConfig: {
            /**
             * @description `accepted`: 202 with the `run_id`; `result`: the output of the run, or 202 after 30 s (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            mode: "map";
            /** @description The fields of the output; values may be templates */
            fields: {
                [key: string]: components["schemas"]["Json"];
            };
        };
        ListTransformerConfig: {
            /**
             * @description `accepted`: 202 with the `run_id`; `result`: the output of the run, or 202 after 30 s (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            mode: "list";
            /** @description The array, or a template of it */
            source: components["schemas"]["Json"];
            /** @description Which items are kept, seen as `item` and `index`; null: all of them */
            filter?: components["schemas"]["Rules"] | null;
            /** @description By what the items are sorted, the first thing first; null: not at all */
            sort?: {
                /**
                 * @description Path into the item; empty: the item itself
                 * @default
                 */
                by?: string;
                /**
                 * @description Up or down; null comes last in both
                 * @default asc
                 * @enum {string}
                 */
                order?: "asc" | "desc";
            }[] | null;
            /** @description How many items are kept; null: all of them */
            limit?: number | null;
            /** @description What is made of each item, seen as `item` and `index`; null: the item itself */
            select?: components["schemas"]["Json"] | null;
        };
        TemplateTransformerConfig: {
            /**
             * @description `accepted`: 202 with the `run_id`; `result`: the output of the run, or 202 after 30 s (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            mode: "template";
            /** @description A text with templates */
            template: string;
            /**
             * @description Whether the rendered text is the output, or the JSON that it holds: a value put into JSON stays a value
             * @default text
             * @enum {string}
             */
            parse_as?: "text" | "json";
        };
        MergeTransformerConfig: {
            /**
             * @description `accepted`: 202 with the `run_id`; `result`: the output of the run, or 202 after 30 s (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            mode: "merge";
            /** @description What is merged, in this order; values may be templates */
            sources: components["schemas"]["Json"][];
            /**
             * @description The first that is not null; arrays one behind the other; objects into each other, the later one first
             * @default first_non_null
             * @enum {string}
             */
            strategy?: "first_non_null" | "concat" | "deep_merge";
        };
        PiiGuardrailCheck: {
            /**
             * @description The word that says which of the alternatives this is (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "pii";
            /**
             * @description Which kinds of personal data are looked for
             * @default [
             *       "EMAIL",
             *       "PHONE",
             *       "CREDIT_CARD",
             *       "SSN",
             *       "IBAN",
             *       "IP_ADDRESS"
             *     ]
             */
            entities?: ("EMAIL" | "PHONE" | "CREDIT_CARD" | "SSN" | "IBAN" | "IP_ADDRESS")[];
            /**
             * @description What a finding does: blocks the text, is masked in it, or is only told
             * @default block
             * @enum {string}
             */
            action?: "block" | "mask" | "flag";
        };
        SecretKeysGuardrailCheck: {
            /**
             * @description The word that says which of the alternatives this is (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "secret_keys";
            /**
             * @description What a finding does: blocks the text, is masked in it, or is only told
             * @default block
             * @enum {string}
             */
            action?: "block" | "mask" | "flag";
        };
        KeywordsGuardrailCheck: {
            /**
             * @description The word that says which of the alternatives this is (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "keywords";
            /** @description Words and phrases that are looked for */
            keywords: string[];
            /**
             * @description Whether capitals make a difference
             * @default false
             */
            case_sensitive?: boolean;
            /**
             * @description What a finding does: blocks the text, is masked in it, or is only told
             * @default block
             * @enum {string}
             */
            action?: "block" | "mask" | "flag";
        };
        RegexGuardrailCheck: {
            /**
             * @description The word that says which of the alternatives this is (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "regex";
            /** @description The pattern, in RE2 */
            pattern: string;
            /**
             * @description Whether the text must match, or must not
             * @default no_match
             * @enum {string}
             */
            expect?: "match" | "no_match";
            /**
             * @description What a finding does: blocks the text, is masked in it, or is only told
             * @default block
             * @enum {string}
             */
            action?: "block" | "mask" | "flag";
        };
        UrlsGuardrailCheck: {
            /**
             * @description The word that says which of the alternatives this is (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "urls";
            /**
             * @description Hosts that URLs may lead to; empty: none
             * @default []
             */
            allowed_hosts?: string[];
            /**
             * @description Schemes that URLs may have
             * @default [
             *       "https",
             *       "http"
             *     ]
             */
            allowed_schemes?: string[];
            /**
             * @description Whether the hosts below an allowed one are allowed, too
             * @default true
             */
            allow_subdomains?: boolean;
            /**
             * @description What a finding does: blocks the text, is masked in it, or is only told
             * @default block
             * @enum {string}
             */
            action?: "block" | "mask" | "flag";
        };
        JsonSchemaGuardrailCheck: {
            /**
             * @description The word that says which of the alternatives this is (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "json_schema";
            /** @description JSON Schema */
            schema: {
                [key: string]: components["schemas"]["Json"];
            };
            /**
             * @description What a finding does: blocks the text, is masked in it, or is only told
             * @default block
             * @enum {string}
             */
            action?: "block" | "flag";
        };
        MaxLengthGuardrailCheck: {
            /**
             * @description The word that says which of the alternatives this is (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "max_length";
            /** @description How many characters the text may have */
            max: number;
            /**
             * @description What a finding does: blocks the text, is masked in it, or is only told
             * @default block
             * @enum {string}
             */
            action?: "block" | "flag";
        };
        ModerationGuardrailCheck: {
            /**
             * @description The word that says which of the alternatives this is (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "moderation";
            /**
             * @description What counts as harmful; empty: the usual kinds of harm
             * @default []
             */
            categories?: string[];
            /**
             * @description From which score on, 0 to 1, it is a finding; of `grounding`, below which
             * @default 0.7
             */
            threshold?: number;
            /**
             * @description What a finding does: blocks the text, is masked in it, or is only told
             * @default block
             * @enum {string}
             */
            action?: "block" | "flag";
        };
        JailbreakGuardrailCheck: {
            /**
             * @description The word that says which of the alternatives this is (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "jailbreak";
            /**
             * @description From which score on, 0 to 1, it is a finding; of `grounding`, below which
             * @default 0.7
             */
            threshold?: number;
            /**
             * @description What a finding does: blocks the text, is masked in it, or is only told
             * @default block
             * @enum {string}
             */
            action?: "block" | "flag";
        };
        TopicGuardrailCheck: {
            /**
             * @description The word that says which of the alternatives this is (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "topic";
            /** @description What the text may be about */
            topics: string[];
            /**
             * @description From which score on, 0 to 1, it is a finding; of `grounding`, below which
             * @default 0.7
             */
            threshold?: number;
            /**
             * @description What a finding does: blocks the text, is masked in it, or is only told
             * @default block
             * @enum {string}
             */
            action?: "block" | "flag";
        };
        GroundingGuardrailCheck: {
            /**
             * @description The word that says which of the alternatives this is (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "grounding";
            /** @description Ids of the bases that are searched for the text; left out, the node's `context` counts */
            knowledge_base_ids?: string[];
            /**
             * @description How many matches there are at most
             * @default 5
             */
            top_k?: number;
            /**
             * @description From which score on, 0 to 1, it is a finding; of `grounding`, below which
             * @default 0.7
             */
            threshold?: number;
            /**
             * @description What a finding does: blocks the text, is masked in it, or is only told
             * @default block
             * @enum {string}
             */
            action?: "block" | "flag";
        };
        CustomGuardrailCheck: {
            /**
             * @description The word that says which of the alternatives this is (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "custom";
            /** @description A description; a text that meets it is a finding */
            instructions: string;
            /**
             * @description From which score on, 0 to 1, it is a finding; of `grounding`, below which
             * @default 0.7
             */
            threshold?: number;
            /**
             * @description What a finding does: blocks the text, is masked in it, or is only told
             * @default block
             * @enum {string}
             */
            action?: "block" | "flag";
        };
        /** @description Where it stands on the canvas */
        CanvasPosition: {
            /** @description To the right, in pixels of the canvas */
            x: number;
            /** @description Downwards, in pixels of the canvas */
            y: number;
        };
        /** @description How often a failure that may pass is tried again */
        NodeRetry: {
            /** @description The kind decides when left out */
            max_attempts?: number;
            /**
             * @description Before the second attempt
             * @default 1000
             */
            initial_interval_ms?: number;
            /**
             * @description How many times longer each wait is than the one before
             * @default 2
             */
            backoff_coefficient?: number;
            /**
             * @description Between two attempts at most
             * @default 30000
             */
            max_interval_ms?: number;
        };
        /** @description Runs the node once for each item */
        NodeForEach: {
            /** @description An array, or a template of one */
            items: string | components["schemas"]["Json"][];
            /**
             * @description The root of the item in templates
             * @default item
             */
            as?: string;
            /**
             * @description How many items are under way at once
             * @default 5
             */
            max_concurrency?: number;
            /**
             * @description More items than this fail the node
             * @default 1000
             */
            max_items?: number;
            /**
             * @description An item that fails: fails the node, leaves null in `results` and its error in `errors`, or is left out
             * @default fail
             * @enum {string}
             */
            on_item_error?: "fail" | "continue" | "drop";
        };
        /** @description A fixed output in place of the work */
        NodeMock: {
            /**
             * @description Whether the fixed output is used
             * @default false
             */
            enabled?: boolean;
            /** @description The output in place of the work */
            output?: components["schemas"]["Json"];
        };
        /** @description A comparison; what tells of one side alone has no `right` */
        Rule: {
            /** @description What is compared, or a template of it */
            left: components["schemas"]["Json"];
            /**
             * @description The comparison; only comparisons of size read numeric strings as numbers, `matches` is RE2
             * @enum {string}
             */
            op: "eq" | "neq" | "gt" | "gte" | "lt" | "lte" | "contains" | "not_contains" | "starts_with" | "ends_with" | "matches" | "in" | "not_in" | "is_empty" | "is_not_empty" | "exists" | "not_exists" | "is_true" | "is_false";
            /** @description What it is compared with, or a template of it */
            right?: components["schemas"]["Json"];
        };
        /** @description Rules of which all or any must hold */
        RuleGroup: {
            /**
             * @description Whether all rules must hold, or any
             * @default all
             * @enum {string}
             */
            match?: "all" | "any";
            /** @description The rules, and groups of them */
            rules: (components["schemas"]["RuleGroup"] | components["schemas"]["Rule"])[];
        };
        Rules: components["schemas"]["RuleGroup"] | components["schemas"]["Rule"] | (components["schemas"]["RuleGroup"] | components["schemas"]["Rule"])[];
        Edge: {
            /** @description Names the edge, and the loop that it closes, in templates: `{{loop.id.iteration}}` */
            id?: string;
            /** @description Id of a node, or `__start__` */
            source: string;
            /** @description Id of a node, or `__end__` */
            target: string;
            /**
             * @description `default`, `error`, `timeout`, `else`, `pass`, `fail`, a case or an action
             * @default default
             */
            source_handle?: string;
            /** @description The edge is taken only where this holds, too */
            when?: components["schemas"]["Rules"];
        };
        StateField: {
            /** @description What kind of value the field holds, for people */
            type?: string;
            /**
             * @description Replaces, appends to an array, or merges objects
             * @default none
             * @enum {string}
             */
            reducer?: "none" | "add" | "update";
            /** @description The value that a run begins with */
            default?: components["schemas"]["Json"];
        };
        /** @description Where the fields of the same names at the workflow come from */
        WorkflowMetadata: {
            /** @description Name of the workflow, 1 to 255 characters */
            name?: string;
            /** @description In a few words, for people; null or empty when there are none */
            description?: string | null;
            /** @description Label of the version, such as 1.0.0 */
            version?: string | null;
            /** @description Words to find it by */
            tags?: string[] | null;
        };
        /** @description Of every run; `output` is the template of a run's output */
        WorkflowSettings: {
            /** @description Template of a run's output; left out, what reached `__end__` */
            output?: components["schemas"]["Json"];
            /**
             * @description A path that leads nowhere fails its node
             * @default false
             */
            strict_templates?: boolean;
            /** @description How many nodes a path of a run may pass, loops included; 100 when nothing says otherwise */
            recursion_limit?: number;
            /** @description How long tokens of a model are gathered for one frame, in milliseconds; 50 when nothing says otherwise */
            batch_interval_ms?: number;
        };
        /** @description A graph that deploys and runs. Saving takes less: a draft may have mistakes, and is told so in `problems`. */
        WorkflowDefinition: {
            /** @description What the workflow is called; the source of the fields of the same names at the workflow */
            metadata?: components["schemas"]["WorkflowMetadata"];
            /** @description Settings of every run of this workflow */
            config?: components["schemas"]["WorkflowSettings"];
            /** @description Fields of the state beside one for each node */
            state_schema?: {
                /** @description The declared fields by name */
                fields?: {
                    [key: string]: components["schemas"]["StateField"];
                };
            };
            /** @description The nodes; `__start__` and `__end__` are none of them */
            nodes: components["schemas"]["Node"][];
            /** @description The connections of the nodes */
            edges: components["schemas"]["Edge"][];
            /**
             * @description Where a run begins
             * @default __start__
             */
            entry_point?: string;
            /** @description What a run takes as input, declared for people and forms */
            input_parameters?: {
                [key: string]: components["schemas"]["Json"];
            }[];
            /** @description Kept as it was sent; the service reads nothing from it */
            end_points?: components["schemas"]["Json"];
            /** @description Where `__start__` stands on the canvas */
            start_position?: components["schemas"]["CanvasPosition"];
        };
        /** @description A graph as it was saved, with mistakes or in other spellings */
        WorkflowDraft: {
            /** @description What the workflow is called; the source of the fields of the same names at the workflow */
            metadata?: components["schemas"]["WorkflowMetadata"];
            /** @description Settings of every run of this workflow, as they were saved */
            config?: {
                [key: string]: components["schemas"]["Json"];
            };
            /** @description The nodes; `__start__` and `__end__` are none of them */
            nodes: unknown[];
            /** @description The connections of the nodes */
            edges: unknown[];
        };
        /**
         * @example {
         *       "id": "classify",
         *       "type": "llm",
         *       "name": "Classify",
         *       "position": {
         *         "x": 240,
         *         "y": 80
         *       },
         *       "retry": {
         *         "max_attempts": 3
         *       },
         *       "config": {
         *         "provider": "openai",
         *         "model": "gpt-4.1",
         *         "credential_id": "718293a4-b5c6-4d87-a9ea-ebfc0d1e0010",
         *         "messages": [
         *           {
         *             "role": "user",
         *             "content": "What is this about? {{input.text}}"
         *           }
         *         ],
         *         "response_format": {
         *           "type": "json_schema",
         *           "schema": {
         *             "type": "object",
         *             "required": [
         *               "topic"
         *             ],
         *             "properties": {
         *               "topic": {
         *                 "type": "string"
         *               }
         *             }
         *           }
         *         }
         *       }
         *     }
         */
        LlmNode: {
            /** @description The root under which templates find the result */
            id: string;
            /** @description Shown to people; the id when left out */
            name?: string;
            /** @description Where the node stands on the canvas */
            position?: components["schemas"]["CanvasPosition"];
            /** @description How often a failure that may pass is tried again */
            retry?: components["schemas"]["NodeRetry"];
            /** @description Of one attempt; the kind decides when left out */
            timeout_ms?: number;
            /**
             * @description After the last attempt: the run fails, goes on with default_output, or takes the handle `error`
             * @enum {string}
             */
            on_error?: "fail" | "continue" | "branch";
            /** @description The output after a failure, with `error` beside it, where `on_error` is `continue` */
            default_output?: components["schemas"]["Json"];
            /**
             * @description Waits for all edges that lead here, or for the first that is taken
             * @default all
             * @enum {string}
             */
            join?: "all" | "any";
            /** @description Runs the node once for each item of an array */
            for_each?: components["schemas"]["NodeForEach"];
            /** @description Templates by state field, rendered when the node completes */
            state_updates?: {
                [key: string]: components["schemas"]["Json"];
            };
            /**
             * @description The node is skipped
             * @default false
             */
            disabled?: boolean;
            /** @description A fixed output in place of the work */
            mock?: components["schemas"]["NodeMock"];
            /**
             * @description The word that says which of the alternatives this is (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "llm";
            /** @description What the node does; templates in it are rendered */
            config: components["schemas"]["LlmNodeConfig"];
        };
        /**
         * @example {
         *       "id": "customer",
         *       "type": "tool",
         *       "timeout_ms": 10000,
         *       "config": {
         *         "kind": "http",
         *         "method": "GET",
         *         "url": "https://company.example/crm/customers/{{input.customer}}"
         *       }
         *     }
         * @example {
         *       "id": "notify",
         *       "type": "tool",
         *       "config": {
         *         "kind": "integration",
         *         "integration": "slack",
         *         "action": "send_message",
         *         "credential_id": "718293a4-b5c6-4d87-a9ea-ebfc0d1e0010",
         *         "parameters": {
         *           "channel": "#support",
         *           "text": "New ticket about {{classify.data.topic}}"
         *         }
         *       }
         *     }
         * @example {
         *       "id": "weather",
         *       "type": "tool",
         *       "config": {
         *         "kind": "mcp",
         *         "server_url": "https://company.example/mcp",
         *         "tool": "forecast",
         *         "arguments": {
         *           "city": "{{input.city}}"
         *         }
         *       }
         *     }
         * @example {
         *       "id": "refund",
         *       "type": "tool",
         *       "config": {
         *         "kind": "workflow",
         *         "workflow_id": "a3e2d1c0-4b5a-4c6d-8e7f-9a0b1c2d6606",
         *         "input": {
         *           "amount": "{{input.amount}}"
         *         }
         *       }
         *     }
         */
        ToolNode: {
            /** @description The root under which templates find the result */
            id: string;
            /** @description Shown to people; the id when left out */
            name?: string;
            /** @description Where the node stands on the canvas */
            position?: components["schemas"]["CanvasPosition"];
            /** @description How often a failure that may pass is tried again */
            retry?: components["schemas"]["NodeRetry"];
            /** @description Of one attempt; the kind decides when left out */
            timeout_ms?: number;
            /**
             * @description After the last attempt: the run fails, goes on with default_output, or takes the handle `error`
             * @enum {string}
             */
            on_error?: "fail" | "continue" | "branch";
            /** @description The output after a failure, with `error` beside it, where `on_error` is `continue` */
            default_output?: components["schemas"]["Json"];
            /**
             * @description Waits for all edges that lead here, or for the first that is taken
             * @default all
             * @enum {string}
             */
            join?: "all" | "any";
            /** @description Runs the node once for each item of an array */
            for_each?: components["schemas"]["NodeForEach"];
            /** @description Templates by state field, rendered when the node completes */
            state_updates?: {
                [key: string]: components["schemas"]["Json"];
            };
            /**
             * @description The node is skipped
             * @default false
             */
            disabled?: boolean;
            /** @description A fixed output in place of the work */
            mock?: components["schemas"]["NodeMock"];
            /**
             * @description The word that says which of the alternatives this is (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "tool";
            /** @description What the node does; templates in it are rendered */
            config: components["schemas"]["ToolNodeConfig"];
        };
        /**
         * @example {
         *       "id": "support",
         *       "type": "agent",
         *       "config": {
         *         "provider": "openai",
         *         "model": "gpt-4.1",
         *         "credential_id": "718293a4-b5c6-4d87-a9ea-ebfc0d1e0010",
         *         "messages": [
         *           {
         *             "role": "user",
         *             "content": "{{input.question}}"
         *           }
         *         ],
         *         "tools": [
         *           {
         *             "kind": "knowledge",
         *             "name": "search_handbook",
         *             "knowledge_base_ids": [
         *               "718293a4-b5c6-47d8-89ea-ebfc0d1e0010"
         *             ]
         *           },
         *           {
         *             "kind": "workflow",
         *             "name": "refund",
         *             "workflow_id": "a3e2d1c0-4b5a-4c6d-8e7f-9a0b1c2d6606",
         *             "approval": "always"
         *           }
         *         ]
         *       }
         *     }
         */
        AgentNode: {
            /** @description The root under which templates find the result */
            id: string;
            /** @description Shown to people; the id when left out */
            name?: string;
            /** @description Where the node stands on the canvas */
            position?: components["schemas"]["CanvasPosition"];
            /** @description How often a failure that may pass is tried again */
            retry?: components["schemas"]["NodeRetry"];
            /** @description Of one attempt; the kind decides when left out */
            timeout_ms?: number;
            /**
             * @description After the last attempt: the run fails, goes on with default_output, or takes the handle `error`
             * @enum {string}
             */
            on_error?: "fail" | "continue" | "branch";
            /** @description The output after a failure, with `error` beside it, where `on_error` is `continue` */
            default_output?: components["schemas"]["Json"];
            /**
             * @description Waits for all edges that lead here, or for the first that is taken
             * @default all
             * @enum {string}
             */
            join?: "all" | "any";
            /** @description Runs the node once for each item of an array */
            for_each?: components["schemas"]["NodeForEach"];
            /** @description Templates by state field, rendered when the node completes */
            state_updates?: {
                [key: string]: components["schemas"]["Json"];
            };
            /**
             * @description The node is skipped
             * @default false
             */
            disabled?: boolean;
            /** @description A fixed output in place of the work */
            mock?: components["schemas"]["NodeMock"];
            /**
             * @description The word that says which of the alternatives this is (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "agent";
            /** @description What the node does; templates in it are rendered */
            config: components["schemas"]["AgentNodeConfig"];
        };
        /**
         * @example {
         *       "id": "words",
         *       "type": "function",
         *       "config": {
         *         "code": "export default ({text}) => ({count: text.split(' ').length})",
         *         "arguments": {
         *           "text": "{{input.text}}"
         *         },
         *         "limits": {
         *           "timeout_ms": 2000,
         *           "memory_mb": 32
         *         }
         *       }
         *     }
         */
        FunctionNode: {
            /** @description The root under which templates find the result */
            id: string;
            /** @description Shown to people; the id when left out */
            name?: string;
            /** @description Where the node stands on the canvas */
            position?: components["schemas"]["CanvasPosition"];
            /** @description How often a failure that may pass is tried again */
            retry?: components["schemas"]["NodeRetry"];
            /** @description Of one attempt; the kind decides when left out */
            timeout_ms?: number;
            /**
             * @description After the last attempt: the run fails, goes on with default_output, or takes the handle `error`
             * @enum {string}
             */
            on_error?: "fail" | "continue" | "branch";
            /** @description The output after a failure, with `error` beside it, where `on_error` is `continue` */
            default_output?: components["schemas"]["Json"];
            /**
             * @description Waits for all edges that lead here, or for the first that is taken
             * @default all
             * @enum {string}
             */
            join?: "all" | "any";
            /** @description Runs the node once for each item of an array */
            for_each?: components["schemas"]["NodeForEach"];
            /** @description Templates by state field, rendered when the node completes */
            state_updates?: {
                [key: string]: components["schemas"]["Json"];
            };
            /**
             * @description The node is skipped
             * @default false
             */
            disabled?: boolean;
            /** @description A fixed output in place of the work */
            mock?: components["schemas"]["NodeMock"];
            /**
             * @description The word that says which of the alternatives this is (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "function";
            /** @description What the node does; templates in it are rendered */
            config: components["schemas"]["FunctionNodeConfig"];
        };
        /**
         * @example {
         *       "id": "route",
         *       "type": "conditional",
         *       "config": {
         *         "mode": "rules",
         *         "cases": [
         *           {
         *             "id": "urgent",
         *             "rules": [
         *               {
         *                 "left": "{{classify.data.score}}",
         *                 "op": "gte",
         *                 "right": 0.8
         *               }
         *             ]
         *           }
         *         ],
         *         "default": "else"
         *       }
         *     }
         * @example {
         *       "id": "choose",
         *       "type": "conditional",
         *       "config": {
         *         "mode": "llm",
         *         "provider": "openai",
         *         "model": "gpt-4.1",
         *         "credential_id": "718293a4-b5c6-4d87-a9ea-ebfc0d1e0010",
         *         "input": "{{input.text}}",
         *         "cases": [
         *           {
         *             "id": "refund",
         *             "description": "Wants money back"
         *           }
         *         ]
         *       }
         *     }
         */
        ConditionalNode: {
            /** @description The root under which templates find the result */
            id: string;
            /** @description Shown to people; the id when left out */
            name?: string;
            /** @description Where the node stands on the canvas */
            position?: components["schemas"]["CanvasPosition"];
            /** @description How often a failure that may pass is tried again */
            retry?: components["schemas"]["NodeRetry"];
            /** @description Of one attempt; the kind decides when left out */
            timeout_ms?: number;
            /**
             * @description After the last attempt: the run fails, goes on with default_output, or takes the handle `error`
             * @enum {string}
             */
            on_error?: "fail" | "continue" | "branch";
            /** @description The output after a failure, with `error` beside it, where `on_error` is `continue` */
            default_output?: components["schemas"]["Json"];
            /**
             * @description Waits for all edges that lead here, or for the first that is taken
             * @default all
             * @enum {string}
             */
            join?: "all" | "any";
            /** @description Runs the node once for each item of an array */
            for_each?: components["schemas"]["NodeForEach"];
            /** @description Templates by state field, rendered when the node completes */
            state_updates?: {
                [key: string]: components["schemas"]["Json"];
            };
            /**
             * @description The node is skipped
             * @default false
             */
            disabled?: boolean;
            /** @description A fixed output in place of the work */
            mock?: components["schemas"]["NodeMock"];
            /**
             * @description The word that says which of the alternatives this is (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "conditional";
            /** @description What the node does; templates in it are rendered */
            config: components["schemas"]["ConditionalNodeConfig"];
        };
        /**
         * @example {
         *       "id": "approve",
         *       "type": "interrupt",
         *       "config": {
         *         "kind": "approval",
         *         "title": "Refund {{input.amount}}?",
         *         "actions": [
         *           {
         *             "id": "approve",
         *             "label": "Approve"
         *           },
         *           {
         *             "id": "reject",
         *             "label": "Reject"
         *           }
         *         ],
         *         "timeout_seconds": 259200,
         *         "on_timeout": "branch"
         *       }
         *     }
         * @example {
         *       "id": "address",
         *       "type": "interrupt",
         *       "config": {
         *         "kind": "input",
         *         "title": "Where to?",
         *         "form": {
         *           "type": "object",
         *           "required": [
         *             "street"
         *           ],
         *           "properties": {
         *             "street": {
         *               "type": "string"
         *             }
         *           }
         *         }
         *       }
         *     }
         * @example {
         *       "id": "later",
         *       "type": "interrupt",
         *       "config": {
         *         "kind": "wait",
         *         "duration_seconds": 3600
         *       }
         *     }
         */
        InterruptNode: {
            /** @description The root under which templates find the result */
            id: string;
            /** @description Shown to people; the id when left out */
            name?: string;
            /** @description Where the node stands on the canvas */
            position?: components["schemas"]["CanvasPosition"];
            /** @description How often a failure that may pass is tried again */
            retry?: components["schemas"]["NodeRetry"];
            /** @description Of one attempt; the kind decides when left out */
            timeout_ms?: number;
            /**
             * @description After the last attempt: the run fails, goes on with default_output, or takes the handle `error`
             * @enum {string}
             */
            on_error?: "fail" | "continue" | "branch";
            /** @description The output after a failure, with `error` beside it, where `on_error` is `continue` */
            default_output?: components["schemas"]["Json"];
            /**
             * @description Waits for all edges that lead here, or for the first that is taken
             * @default all
             * @enum {string}
             */
            join?: "all" | "any";
            /** @description Runs the node once for each item of an array */
            for_each?: components["schemas"]["NodeForEach"];
            /** @description Templates by state field, rendered when the node completes */
            state_updates?: {
                [key: string]: components["schemas"]["Json"];
            };
            /**
             * @description The node is skipped
             * @default false
             */
            disabled?: boolean;
            /** @description A fixed output in place of the work */
            mock?: components["schemas"]["NodeMock"];
            /**
             * @description The word that says which of the alternatives this is (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "interrupt";
            /** @description What the node does; templates in it are rendered */
            config: components["schemas"]["InterruptNodeConfig"];
        };
        /**
         * @example {
         *       "id": "hello",
         *       "type": "transformer",
         *       "config": {
         *         "mode": "template",
         *         "template": "Hello {{input.name}}"
         *       }
         *     }
         * @example {
         *       "id": "shape",
         *       "type": "transformer",
         *       "config": {
         *         "mode": "map",
         *         "fields": {
         *           "topic": "{{classify.data.topic}}"
         *         }
         *       }
         *     }
         * @example {
         *       "id": "best",
         *       "type": "transformer",
         *       "config": {
         *         "mode": "list",
         *         "source": "{{search.matches}}",
         *         "filter": {
         *           "left": "{{item.score}}",
         *           "op": "gte",
         *           "right": 0.5
         *         },
         *         "limit": 10,
         *         "select": "{{item.content}}"
         *       }
         *     }
         * @example {
         *       "id": "either",
         *       "type": "transformer",
         *       "config": {
         *         "mode": "merge",
         *         "sources": [
         *           "{{shape}}",
         *           "{{customer.data}}"
         *         ],
         *         "strategy": "deep_merge"
         *       }
         *     }
         */
        TransformerNode: {
            /** @description The root under which templates find the result */
            id: string;
            /** @description Shown to people; the id when left out */
            name?: string;
            /** @description Where the node stands on the canvas */
            position?: components["schemas"]["CanvasPosition"];
            /** @description How often a failure that may pass is tried again */
            retry?: components["schemas"]["NodeRetry"];
            /** @description Of one attempt; the kind decides when left out */
            timeout_ms?: number;
            /**
             * @description After the last attempt: the run fails, goes on with default_output, or takes the handle `error`
             * @enum {string}
             */
            on_error?: "fail" | "continue" | "branch";
            /** @description The output after a failure, with `error` beside it, where `on_error` is `continue` */
            default_output?: components["schemas"]["Json"];
            /**
             * @description Waits for all edges that lead here, or for the first that is taken
             * @default all
             * @enum {string}
             */
            join?: "all" | "any";
            /** @description Runs the node once for each item of an array */
            for_each?: components["schemas"]["NodeForEach"];
            /** @description Templates by state field, rendered when the node completes */
            state_updates?: {
                [key: string]: components["schemas"]["Json"];
            };
            /**
             * @description The node is skipped
             * @default false
             */
            disabled?: boolean;
            /** @description A fixed output in place of the work */
            mock?: components["schemas"]["NodeMock"];
            /**
             * @description The word that says which of the alternatives this is (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "transformer";
            /** @description What the node does; templates in it are rendered */
            config: components["schemas"]["TransformerNodeConfig"];
        };
        /**
         * @example {
         *       "id": "screen",
         *       "type": "guardrails",
         *       "config": {
         *         "input": "{{input.text}}",
         *         "checks": [
         *           {
         *             "type": "pii",
         *             "entities": [
         *               "EMAIL"
         *             ],
         *             "action": "mask"
         *           },
         *           {
         *             "type": "max_length",
         *             "max": 10000,
         *             "action": "block"
         *           }
         *         ]
         *       }
         *     }
         */
        GuardrailsNode: {
            /** @description The root under which templates find the result */
            id: string;
            /** @description Shown to people; the id when left out */
            name?: string;
            /** @description Where the node stands on the canvas */
            position?: components["schemas"]["CanvasPosition"];
            /** @description How often a failure that may pass is tried again */
            retry?: components["schemas"]["NodeRetry"];
            /** @description Of one attempt; the kind decides when left out */
            timeout_ms?: number;
            /**
             * @description After the last attempt: the run fails, goes on with default_output, or takes the handle `error`
             * @enum {string}
             */
            on_error?: "fail" | "continue" | "branch";
            /** @description The output after a failure, with `error` beside it, where `on_error` is `continue` */
            default_output?: components["schemas"]["Json"];
            /**
             * @description Waits for all edges that lead here, or for the first that is taken
             * @default all
             * @enum {string}
             */
            join?: "all" | "any";
            /** @description Runs the node once for each item of an array */
            for_each?: components["schemas"]["NodeForEach"];
            /** @description Templates by state field, rendered when the node completes */
            state_updates?: {
                [key: string]: components["schemas"]["Json"];
            };
            /**
             * @description The node is skipped
             * @default false
             */
            disabled?: boolean;
            /** @description A fixed output in place of the work */
            mock?: components["schemas"]["NodeMock"];
            /**
             * @description The word that says which of the alternatives this is (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "guardrails";
            /** @description What the node does; templates in it are rendered */
            config: components["schemas"]["GuardrailsNodeConfig"];
        };
        /**
         * @example {
         *       "id": "search",
         *       "type": "knowledge",
         *       "config": {
         *         "knowledge_base_ids": [
         *           "718293a4-b5c6-47d8-89ea-ebfc0d1e0010"
         *         ],
         *         "query": "{{input.question}}",
         *         "top_k": 5
         *       }
         *     }
         */
        KnowledgeNode: {
            /** @description The root under which templates find the result */
            id: string;
            /** @description Shown to people; the id when left out */
            name?: string;
            /** @description Where the node stands on the canvas */
            position?: components["schemas"]["CanvasPosition"];
            /** @description How often a failure that may pass is tried again */
            retry?: components["schemas"]["NodeRetry"];
            /** @description Of one attempt; the kind decides when left out */
            timeout_ms?: number;
            /**
             * @description After the last attempt: the run fails, goes on with default_output, or takes the handle `error`
             * @enum {string}
             */
            on_error?: "fail" | "continue" | "branch";
            /** @description The output after a failure, with `error` beside it, where `on_error` is `continue` */
            default_output?: components["schemas"]["Json"];
            /**
             * @description Waits for all edges that lead here, or for the first that is taken
             * @default all
             * @enum {string}
             */
            join?: "all" | "any";
            /** @description Runs the node once for each item of an array */
            for_each?: components["schemas"]["NodeForEach"];
            /** @description Templates by state field, rendered when the node completes */
            state_updates?: {
                [key: string]: components["schemas"]["Json"];
            };
            /**
             * @description The node is skipped
             * @default false
             */
            disabled?: boolean;
            /** @description A fixed output in place of the work */
            mock?: components["schemas"]["NodeMock"];
            /**
             * @description The word that says which of the alternatives this is (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "knowledge";
            /** @description What the node does; templates in it are rendered */
            config: components["schemas"]["KnowledgeNodeConfig"];
        };
        Node: components["schemas"]["LlmNode"] | components["schemas"]["ToolNode"] | components["schemas"]["AgentNode"] | components["schemas"]["FunctionNode"] | components["schemas"]["ConditionalNode"] | components["schemas"]["InterruptNode"] | components["schemas"]["TransformerNode"] | components["schemas"]["GuardrailsNode"] | components["schemas"]["KnowledgeNode"];
        NewWorkflow: {
            /** @description Name of the workflow; needed here or in the metadata of the definition */
            name?: string;
            /** @description In a few words, for people; null or empty when there are none */
            description?: string | null;
            /** @description A label for people, such as 1.0.0; null: none */
            version?: string;
            /** @description Words to find it by */
            tags?: string[];
            /** @description A word to sort by; null: none */
            category?: string | null;
            /**
             * @description A label: it does not decide whether the workflow runs; the Assistant is not offered archived ones
             * @enum {string}
             */
            status?: "draft" | "active" | "archived";
            /**
             * @description Who shall see it; `private` behaves like `organization`, `system` belongs to the operator
             * @enum {string}
             */
            visibility?: "private" | "organization" | "public";
            /** @description Default input of runs, captured by a deployment */
            input?: components["schemas"]["JsonObject"];
            /** @description Default settings of runs, captured by a deployment */
            config?: components["schemas"]["JsonObject"];
            /** @description The definition: the graph of nodes and edges */
            workflow_schema: components["schemas"]["WorkflowDefinition"] | components["schemas"]["WorkflowDraft"];
            /** @description The organization that shall own it; that of X-Organization-ID when left out */
            organization_id?: string | null;
        };
        JsonObject: {
            [key: string]: components["schemas"]["Json"];
        };
        WorkflowUpdate: {
            /** @description What people call it */
            name?: string;
            /** @description In a few words, for people; null or empty when there are none */
            description?: string | null;
            /** @description A label for people, such as 1.0.0; null: none */
            version?: string;
            /** @description Words to find it by */
            tags?: string[];
            /** @description A word to sort by; null: none */
            category?: string | null;
            /**
             * @description A label: it does not decide whether the workflow runs; the Assistant is not offered archived ones
             * @enum {string}
             */
            status?: "draft" | "active" | "archived";
            /**
             * @description Who shall see it; `private` behaves like `organization`, `system` belongs to the operator
             * @enum {string}
             */
            visibility?: "private" | "organization" | "public";
            /** @description Default input of runs, captured by a deployment */
            input?: components["schemas"]["JsonObject"];
            /** @description Default settings of runs, captured by a deployment */
            config?: components["schemas"]["JsonObject"];
            /** @description The definition: the graph of nodes and edges */
            workflow_schema?: components["schemas"]["WorkflowDefinition"] | components["schemas"]["WorkflowDraft"];
        };
        NodePin: {
            /**
             * Format: uuid
             * @description The run whose output is taken
             */
            run_pk: string;
            /** @description Of the node, in a loop; the last when missing */
            visit?: number;
        };
        NewRun: {
            /** @description Runs the live deployment of this workflow; not together with `workflow` */
            workflow_id?: string | null;
            /** @description A definition to run as it is, without a deployment; not together with `workflow_id` */
            workflow?: ({
                [key: string]: components["schemas"]["Json"];
            } | components["schemas"]["WorkflowDefinition"] | components["schemas"]["JsonObject"]) | null;
            /** @description Name of a workflow of the service's own, in place of `workflow` and `workflow_id` */
            system_workflow?: string | null;
            /** @description With `workflow`: the workflow in whose history the run stands */
            attribution_workflow_id?: string | null;
            /** @description Removed: a body with only `llm` is answered 410. */
            llm?: unknown;
            /** @description Input of the run, over the default input of the deployment */
            input?: components["schemas"]["JsonObject"] | null;
            /** @description Settings of this run, over those of the deployment and of the definition */
            config?: components["schemas"]["RunConfig"] | null;
            /**
             * @description Whether the caller means to follow the events; they can be followed either way
             * @default true
             */
            stream?: boolean;
            /**
             * @description Whether the run stands in no history and on no thread
             * @default false
             */
            ephemeral?: boolean;
            /**
             * @description Whether only its creator and owners see the run
             * @default false
             */
            is_private?: boolean;
            /** @description Seconds to wait for the result: the answer is 200 with the output, or 202 while the run goes on. `Prefer: wait=30` says the same. */
            wait?: number;
        };
        RunConfig: {
            /** @description The thread to run on; left out, a new one */
            thread_id?: string;
            /** @description How many nodes a path of a run may pass, loops included; 100 when nothing says otherwise */
            recursion_limit?: number;
            /** @description How long tokens of a model are gathered for one frame, in milliseconds; 50 when nothing says otherwise */
            batch_interval_ms?: number;
        };
        NewRunBatch: {
            /**
             * Format: uuid
             * @description Id of the workflow; null when there is none, as of a run of an inline definition
             */
            workflow_id: string;
            /** @description The input of each run */
            inputs: components["schemas"]["JsonObject"][];
            config?: components["schemas"]["BatchConfig"] | null;
            /**
             * @description Whether only its creator and owners see the run
             * @default false
             */
            is_private?: boolean;
        };
        BatchConfig: {
            /** @description How many nodes a path of a run may pass, loops included; 100 when nothing says otherwise */
            recursion_limit?: number;
            /** @description How long tokens of a model are gathered for one frame, in milliseconds; 50 when nothing says otherwise */
            batch_interval_ms?: number;
        };
        RunAnswer: {
            /** @description Id of the question, sent back with the answer */
            interrupt_id?: string;
            /** @description The action that is chosen, where the question has some */
            action?: string | null;
            /** @description The data of the answer, by the `form` of the question */
            data?: components["schemas"]["Json"];
            /** @description Several answers at once; not together with `interrupt_id` */
            responses?: components["schemas"]["InterruptAnswer"][];
            /** @description Whether the caller means to follow the events; left out, as at the start */
            stream?: boolean;
        } & (unknown | unknown);
        /** @description Any JSON value */
        Json: string | number | boolean | null | unknown[] | {
            [key: string]: unknown;
        };
        InterruptAnswer: {
            /** @description Id of the question, sent back with the answer */
            interrupt_id: string;
            /** @description The action that is chosen, where the question has some */
            action?: string | null;
            /** @description The data of the answer, by the `form` of the question */
            data?: components["schemas"]["Json"];
        };
        Cancellation: {
            /** @description Why, shown in the history */
            reason?: string | null;
        };
        NodeTest: {
            /** @description Fields of the state and outputs of other nodes by id; they win over those of a past run */
            state?: components["schemas"]["JsonObject"];
            /** @description The input of the run; that of the past run when it is missing */
            input?: components["schemas"]["JsonObject"];
            /**
             * Format: uuid
             * @description A past run whose state and outputs the templates of the node read
             */
            from_run_pk?: string;
            /**
             * @description The node may act on something outside: a tool or an agent
             * @default false
             */
            confirm_effects?: boolean;
        };
        Rerun: {
            /** @description This node, and whatever it leads to, runs again; everything else is reused */
            from_node_id?: string;
            /** @description Which visit of the node, in a loop; the last when it is missing */
            from_visit?: number;
            /**
             * @description What has failed runs again, and whatever it leads to
             * @constant
             */
            from?: "failed";
            /** @description Replaces the input of the run for the nodes that run */
            input?: components["schemas"]["JsonObject"];
            /** @description Outputs by node id that stand for what the nodes came to */
            overrides?: {
                [key: string]: components["schemas"]["Json"];
            };
            /**
             * @description In another definition a node is reused when it, and all before it, is as it was
             * @default same
             * @enum {string}
             */
            definition?: "same" | "live" | "draft";
            /**
             * @description Answers the plan and starts nothing
             * @default false
             */
            dry_run?: boolean;
        };
        DeployRequest: {
            /** @description What whoever deployed said about it; null: nothing */
            deployment_note?: string | null;
            /** @description Address of a picture of the canvas, never fetched by the service; null: none */
            schema_image_url?: string | null;
        };
        NewOrganization: {
            /** @description What people call it */
            name: string;
        };
        OrganizationUpdate: {
            /** @description What people call it */
            name?: string;
            /** @description A label, which nobody has proved to own; empty: none */
            domain?: string;
            /** @description Replaced as a whole */
            settings?: {
                [key: string]: components["schemas"]["Json"];
            };
        };
        RoleChange: {
            /**
             * @description The role that the member shall have
             * @enum {string}
             */
            role: "owner" | "admin";
        };
        NewInvitation: {
            /**
             * Format: email
             * @description Email address of the person
             */
            email: string;
            /**
             * @description The role that the person shall have
             * @constant
             */
            role: "admin";
        };
        NewCredential: {
            /** @description What people call it */
            name: string;
            /** @description Name of the integration in the catalog */
            integration: string;
            /** @description Which of the integration's ways to authenticate it is */
            auth_type: string;
            /** @description The secret, by the integration's auth schema; never returned */
            data: {
                [key: string]: components["schemas"]["Json"];
            };
            /** @description Where its secret may be sent: host:port, or host alone for https; null: to the host of the account */
            allowed_hosts?: string[] | null;
            /** @description The organization that shall own it; that of X-Organization-ID when left out */
            organization_id?: string | null;
            /** @description From when on it is no longer valid, ISO 8601 UTC; null: it never expires */
            expires_at?: string | null;
        };
        NewAuthorization: {
            /** @description Name of the integration in the catalog */
            integration: string;
            /** @description Of the credential; needed unless one is authorized again */
            name?: string;
            /** @description What the provider is asked to allow, or has allowed */
            scopes?: string[];
            /**
             * Format: uuid
             * @description An OAuth credential to authorize again
             */
            credential_id?: string;
        };
        AuthorizationEnd: {
            /** @description Ties the way back to this authorization; sent back as it is */
            state: string;
            /** @description What the provider gave on the way back */
            code?: string;
            /** @description What the provider said in place of a code */
            error?: string;
        };
        CredentialChange: {
            /** @description What people call it */
            name?: string;
            /** @description The secret, by the integration's auth schema; never returned */
            data?: {
                [key: string]: components["schemas"]["Json"];
            };
            /** @description host:port, or host alone for https on its usual port */
            allowed_hosts?: string[];
            /** @description From when on it is no longer valid, ISO 8601 UTC; null: it never expires */
            expires_at?: string | null;
            /**
             * @description Takes the credential out of use; new data puts it back
             * @constant
             */
            status?: "revoked";
        };
        NewApiKey: {
            /** @description What people call it */
            name: string;
            /** @description The only organization that the key shall be valid in; the caller must be a member. Null: all of the owner's */
            organization_id?: string | null;
            /** @description From when on it is no longer valid, ISO 8601 UTC; null: it never expires */
            expires_at?: string | null;
            /**
             * @description How many requests it has in 60 seconds
             * @default 60
             */
            rate_limit_per_minute?: number;
        };
        ChatChange: {
            /** @description What the chat is called */
            title?: string;
            /** @description Whether the user has pinned it; the order of lists stays */
            pinned?: boolean;
        };
        AssistantMessage: {
            /** @description What the person says */
            message: string;
            /** @description The model to use; null: that of the deployment */
            llm?: {
                /** @description Name of the provider of the model */
                provider?: string | null;
                /** @description Name of the model, as its provider calls it */
                model?: string | null;
                /** @description Id of the credential with the account to use; null: the managed model of the deployment */
                credential_id?: string | null;
            } | null;
            /** @description Continues the chat on this thread; left out, a new chat begins */
            thread_id?: string;
        };
        ComposerMessage: {
            /** @description What the person says */
            message: string;
            /** @description The workflow to change; null: the chat's, and in a new chat a new one */
            workflow_id?: string | null;
            /** @description Continues the chat on this thread; left out, a new chat begins */
            thread_id?: string;
            /** @description Changes of a workflow are returned as the output of the node `save`, and not saved */
            propose?: boolean;
            /** @description The model to use; null: that of the deployment */
            llm?: {
                /** @description Name of the provider of the model */
                provider?: string | null;
                /** @description Name of the model, as its provider calls it */
                model?: string | null;
                /** @description Id of the credential with the account to use; null: the managed model of the deployment */
                credential_id?: string | null;
            } | null;
        };
        ExtraUsageChange: {
            /** @description Whether the wallet shall pay when the month is used up */
            enabled: boolean;
        };
        NewTopup: {
            /** @description Credits to buy; 100 are one currency unit */
            amount: number;
        };
        NewSchedule: {
            /**
             * Format: uuid
             * @description Id of the workflow whose live deployment runs
             */
            workflow_id: string;
            /** @description What people call it */
            name: string;
            /** @description Minute, hour, day of month, month, day of week. Both day fields must match. At most once a minute. */
            cron_expression: string;
            /** @description Name in the time zone database by which the times are meant; UTC when left out */
            timezone?: string;
            /** @description Input of each run, over the default input of the deployment */
            input?: components["schemas"]["JsonObject"] | null;
            /** @description Settings of each run */
            config?: components["schemas"]["ScheduleConfig"] | null;
            /**
             * @description Whether it runs at its times
             * @default true
             */
            enabled?: boolean;
            /**
             * @description What happens at a time at which a run of the schedule is still open, as one is that waits for a person: `skip` drops the time and says so in `skipped_count`, `buffer_one` runs once afterwards and drops the rest, `allow_all` runs beside, the others end the open run
             * @default skip
             * @enum {string}
             */
            overlap_policy?: "skip" | "buffer_one" | "allow_all" | "cancel_other" | "terminate_other";
            /**
             * @description How late a run may still begin after an outage, in seconds
             * @default 60
             */
            catchup_window_seconds?: number;
            /** @description No run before this moment, ISO 8601 UTC; null: at once */
            start_at?: string | null;
            /** @description No run after this moment, ISO 8601 UTC; null: for ever */
            end_at?: string | null;
            /** @description After so many runs it is disabled; null: any number */
            max_runs?: number | null;
            /** @description The organization that shall own it; that of X-Organization-ID when left out */
            organization_id?: string | null;
        };
        ScheduleConfig: {
            /** @description The thread to run on; left out, a new one for each run */
            thread_id?: string;
            /** @description How many nodes a path of a run may pass, loops included; 100 when nothing says otherwise */
            recursion_limit?: number;
            /** @description How long tokens of a model are gathered for one frame, in milliseconds; 50 when nothing says otherwise */
            batch_interval_ms?: number;
        };
        ScheduleChange: {
            /** @description What people call it */
            name?: string;
            /** @description Minute, hour, day of month, month, day of week. Both day fields must match. At most once a minute. */
            cron_expression?: string;
            /** @description Name in the time zone database by which the times are meant; UTC when left out */
            timezone?: string;
            /** @description Input of each run, over the default input of the deployment */
            input?: components["schemas"]["JsonObject"];
            /** @description Settings of each run */
            config?: components["schemas"]["ScheduleConfig"];
            /** @description Whether it runs at its times */
            enabled?: boolean;
            /**
             * @description What happens at a time at which a run of the schedule is still open, as one is that waits for a person: `skip` drops the time and says so in `skipped_count`, `buffer_one` runs once afterwards and drops the rest, `allow_all` runs beside, the others end the open run
             * @enum {string}
             */
            overlap_policy?: "skip" | "buffer_one" | "allow_all" | "cancel_other" | "terminate_other";
            /** @description How late a run may still begin after an outage, in seconds */
            catchup_window_seconds?: number;
            /** @description No run before this moment, ISO 8601 UTC; null: at once */
            start_at?: string | null;
            /** @description No run after this moment, ISO 8601 UTC; null: for ever */
            end_at?: string | null;
            /** @description After so many runs it is disabled; null: any number */
            max_runs?: number | null;
        };
        NewHook: {
            /** @description Name of the webhook, for people */
            name: string;
            /**
             * @description Whether the address starts runs; a disabled one answers 404
             * @default true
             */
            enabled?: boolean;
            /**
             * @description How requests prove their sender
             * @default none
             * @enum {string}
             */
            verification?: "none" | "bearer" | "basic" | "standard" | "github" | "stripe" | "slack";
            /**
             * @description Secrets of the sender, of which any may have signed; `user:password` for `basic`. They are never shown
             * @default []
             */
            secrets?: string[];
            /** @description Rules over `method`, `headers`, `query` and `body`; null: every request starts a run */
            filter?: components["schemas"]["Json"] | null;
            /** @description Templates that make the input of the run; null: the body, or the query of a request without one */
            mapping?: components["schemas"]["JsonObject"] | null;
            /**
             * @description How requests are recognized as one event: by the id of the sender, by content, or not at all
             * @default sender_id
             * @enum {string}
             */
            deduplicate_by?: "sender_id" | "content" | "none";
            /** @description Header with the id of an event; null: the usual one of the verification */
            id_header?: string | null;
            /**
             * @description How the sender is answered: 202 once the run is accepted, or the result of the run
             * @default {
             *       "mode": "accepted"
             *     }
             */
            response?: components["schemas"]["HookResponse"];
        };
        HookResponse: {
            /**
             * @description `accepted`: 202 with the `run_id`; `result`: the output of the run, or 202 after 30 s
             * @constant
             */
            mode: "accepted";
        } | {
            /**
             * @description `accepted`: 202 with the `run_id`; `result`: the output of the run, or 202 after 30 s
             * @constant
             */
            mode: "result";
            /** @description Status of the answer with a result; 200 by default */
            status?: number;
            /** @description Headers of the answer: names that begin with `X-`, and `Retry-After` */
            headers?: {
                [key: string]: string;
            };
            /** @description Template of the answer over `output` and `run_id`; the output by default */
            body?: components["schemas"]["Json"];
        };
        HookChange: {
            /** @description Name of the webhook, for people */
            name?: string;
            /** @description Whether the address starts runs; a disabled one answers 404 */
            enabled?: boolean;
            /**
             * @description How requests prove their sender
             * @enum {string}
             */
            verification?: "none" | "bearer" | "basic" | "standard" | "github" | "stripe" | "slack";
            /** @description Secrets of the sender, of which any may have signed; `user:password` for `basic`. They are never shown */
            secrets?: string[];
            /** @description Rules over `method`, `headers`, `query` and `body`; null: every request starts a run */
            filter?: components["schemas"]["Json"] | null;
            /** @description Templates that make the input of the run; null: the body, or the query of a request without one */
            mapping?: components["schemas"]["JsonObject"] | null;
            /**
             * @description How requests are recognized as one event: by the id of the sender, by content, or not at all
             * @enum {string}
             */
            deduplicate_by?: "sender_id" | "content" | "none";
            /** @description Header with the id of an event; null: the usual one of the verification */
            id_header?: string | null;
            /** @description How the sender is answered: 202 once the run is accepted, or the result of the run */
            response?: components["schemas"]["HookResponse"];
        };
        HookRotation: {
            /**
             * @description How long the previous address keeps working, in seconds
             * @default 86400
             */
            keep_previous_seconds?: number;
        };
        NewSupportRequest: {
            /** @description What it is about, in a line */
            subject: string;
            /** @description What the person asks */
            message: string;
            /** @description The organization that it is about; null: none */
            organization_id?: string | null;
        };
        NewKnowledgeBase: {
            /** @description What people call it */
            name: string;
            /** @description In a few words, for people; null or empty when there are none */
            description?: string | null;
            /** @description The model that turns texts into vectors; null: the managed one */
            embedding_config?: components["schemas"]["NewEmbeddingConfig"] | null;
            /** @description How documents are cut into chunks; null: the defaults */
            chunking_config?: {
                /**
                 * @description How a text is cut: as full as a chunk may be, at the best edge in its later half
                 * @default recursive
                 * @constant
                 */
                strategy?: "recursive";
                /**
                 * @description How many tokens a chunk has at most
                 * @default 800
                 */
                chunk_size?: number;
                /** @description How many tokens a chunk repeats of the one before */
                chunk_overlap?: number;
                /**
                 * @description What sizes are counted in
                 * @default tokens
                 * @constant
                 */
                unit?: "tokens";
            } | null;
            /** @description Embeds on the organization's own account; without it the base is managed */
            credential_id?: string | null;
            /** @description The organization that shall own it; that of X-Organization-ID when left out */
            organization_id?: string | null;
        };
        NewEmbeddingConfig: {
            /** @description Name of the provider; null: the managed one */
            provider?: string | null;
            /** @description Name of the model; null: the managed one */
            model?: string | null;
            /** @description The organization's own account; null: managed */
            credential_id?: string | null;
            /** @description How many numbers a vector has; null: as many as the model gives */
            dimensions?: number | null;
        };
        KnowledgeBaseChange: {
            /** @description What people call it */
            name?: string;
            /** @description In a few words, for people; null or empty when there are none */
            description?: string;
            /** @description The model that turns texts into vectors; null: the managed one */
            embedding_config?: components["schemas"]["NewEmbeddingConfig"];
            /** @description How documents are cut into chunks; null: the defaults */
            chunking_config?: {
                /**
                 * @description How a text is cut: as full as a chunk may be, at the best edge in its later half
                 * @default recursive
                 * @constant
                 */
                strategy?: "recursive";
                /**
                 * @description How many tokens a chunk has at most
                 * @default 800
                 */
                chunk_size?: number;
                /** @description How many tokens a chunk repeats of the one before */
                chunk_overlap?: number;
                /**
                 * @description What sizes are counted in
                 * @default tokens
                 * @constant
                 */
                unit?: "tokens";
            };
            /** @description The organization's own account; null: managed */
            credential_id?: string | null;
        };
        KnowledgeSearch: {
            /** @description What is searched for, in plain words */
            query: string;
            /**
             * @description How many matches there are at most
             * @default 5
             */
            top_k?: number;
            /**
             * @description Matches with a lower score are left out
             * @default 0
             */
            min_score?: number;
            /** @description Conditions over doc_metadata and chunk_metadata; null: none */
            filters?: components["schemas"]["JsonObject"] | null;
            /**
             * @description Whether matches have their text
             * @default true
             */
            include_content?: boolean;
            /**
             * @description Whether matches have their metadata
             * @default true
             */
            include_metadata?: boolean;
        };
        DocumentUpload: {
            /**
             * Format: binary
             * @description Text, Markdown, HTML, PDF or DOCX; at most 25 MiB
             */
            file: string;
            /** @description The file's name unless given */
            name?: string;
            /** @description A JSON object; searches filter by it */
            doc_metadata?: string;
            /** @description A JSON object in place of the base's */
            chunking_config?: string;
        };
        /**
         * @example {
         *       "type": "run_started",
         *       "run_id": "0a1b2c3d-4e5f-4061-8273-849506a79909",
         *       "thread_id": "3d4e5f60-7182-4394-85a6-a7b8c9dacc0c",
         *       "timestamp": "2026-11-02T09:30:00.000Z",
         *       "seq": 1,
         *       "workflow_id": "a3e2d1c0-4b5a-4c6d-8e7f-9a0b1c2d6606",
         *       "workflow_name": "Greeting",
         *       "workflow_version": "2.0.0",
         *       "workflow_source": "database",
         *       "deployment_id": "d4c3b2a1-5c6d-4e7f-8091-a2b3c4d57707",
         *       "chat_id": "4e5f6071-8293-44a5-96b7-b8c9daebdd0d",
         *       "ephemeral": false,
         *       "reason": "initial"
         *     }
         */
        RunStartedFrame: {
            /**
             * @description The word that says which of the alternatives this is (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "run_started";
            /**
             * Format: uuid
             * @description The run that is listened to and cancelled; each answer to a question begins a new one
             */
            run_id: string;
            /** @description The conversation that the run is part of; null: none, as of an ephemeral run */
            thread_id: string | null;
            /**
             * Format: date-time
             * @description When this was said, ISO 8601 UTC
             */
            timestamp: string;
            /** @description Number of the event in its run, from 1 without gaps: where a reader goes on */
            seq: number;
            /** @description Id of the workflow; null when there is none, as of a run of an inline definition */
            workflow_id?: string | null;
            /** @description Name of the workflow when the run began */
            workflow_name?: string;
            /** @description Version of the deployment, or what an inline definition says of itself */
            workflow_version?: string;
            /** @description `database`, `request`, or `system:` and a name */
            workflow_source?: string;
            /** @description Id of the deployment; null of a run without one */
            deployment_id?: string | null;
            /** @description Id of the chat that the run is part of; null when it is part of none */
            chat_id?: string | null;
            /** @description Whether the run stands in no history and on no thread */
            ephemeral?: boolean;
            /** @description `initial`, `resume` after an answer, or `rerun` */
            reason?: string;
            /** @description The `run_id` of the part before the answer that this one goes on from; null: none */
            resumed_from_run_id?: string | null;
            /** @description The `run_id` of the run that this one runs again; null: none */
            rerun_of?: string | null;
        };
        /**
         * @example {
         *       "type": "node_started",
         *       "run_id": "0a1b2c3d-4e5f-4061-8273-849506a79909",
         *       "thread_id": "3d4e5f60-7182-4394-85a6-a7b8c9dacc0c",
         *       "timestamp": "2026-11-02T09:30:00.000Z",
         *       "seq": 2,
         *       "step_id": "2c3d4e5f-6071-4283-9495-06a7b8c9bb0b",
         *       "node_id": "hello",
         *       "node_type": "transformer",
         *       "node_name": "hello",
         *       "attempt": 1,
         *       "depth": 1
         *     }
         */
        NodeStartedFrame: {
            /**
             * @description The word that says which of the alternatives this is (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "node_started";
            /**
             * Format: uuid
             * @description The run that is listened to and cancelled; each answer to a question begins a new one
             */
            run_id: string;
            /** @description The conversation that the run is part of; null: none, as of an ephemeral run */
            thread_id: string | null;
            /**
             * Format: date-time
             * @description When this was said, ISO 8601 UTC
             */
            timestamp: string;
            /** @description Number of the event in its run, from 1 without gaps: where a reader goes on */
            seq: number;
            /**
             * Format: uuid
             * @description Id of the step: one execution of a node
             */
            step_id: string;
            /** @description Id of the node in the definition */
            node_id: string;
            /** @description Type of the node, such as `llm` */
            node_type: string;
            /** @description Name of the node; its id when it has none */
            node_name: string;
            /** @description Which attempt, from 1 */
            attempt: number;
            /** @description How many nodes its path has passed, itself included */
            depth: number;
            /** @description Of an item: its position, from 0; null or missing otherwise */
            item_index?: number;
            /**
             * Format: uuid
             * @description Of an item: the step of the mapped node; of a tool call: that of its agent; null or missing otherwise
             */
            parent_step_id?: string;
            /** @description Iteration of the innermost loop around the node, from 0; null or missing outside of loops */
            iteration?: number;
        };
        /**
         * @example {
         *       "type": "node_completed",
         *       "run_id": "0a1b2c3d-4e5f-4061-8273-849506a79909",
         *       "thread_id": "3d4e5f60-7182-4394-85a6-a7b8c9dacc0c",
         *       "timestamp": "2026-11-02T09:30:00.000Z",
         *       "seq": 3,
         *       "step_id": "2c3d4e5f-6071-4283-9495-06a7b8c9bb0b",
         *       "node_id": "hello",
         *       "node_type": "transformer",
         *       "node_name": "hello",
         *       "attempt": 1,
         *       "depth": 1,
         *       "output": {
         *         "said": "Hello Ada"
         *       },
         *       "output_truncated": false,
         *       "selected_handle": "default",
         *       "duration_ms": 2,
         *       "usage": null,
         *       "credits": 0,
         *       "warnings": []
         *     }
         */
        NodeCompletedFrame: {
            /**
             * @description The word that says which of the alternatives this is (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "node_completed";
            /**
             * Format: uuid
             * @description The run that is listened to and cancelled; each answer to a question begins a new one
             */
            run_id: string;
            /** @description The conversation that the run is part of; null: none, as of an ephemeral run */
            thread_id: string | null;
            /**
             * Format: date-time
             * @description When this was said, ISO 8601 UTC
             */
            timestamp: string;
            /** @description Number of the event in its run, from 1 without gaps: where a reader goes on */
            seq: number;
            /**
             * Format: uuid
             * @description Id of the step: one execution of a node
             */
            step_id: string;
            /** @description Id of the node in the definition */
            node_id: string;
            /** @description Type of the node, such as `llm` */
            node_type: string;
            /** @description Name of the node; its id when it has none */
            node_name: string;
            /** @description Which attempt, from 1 */
            attempt: number;
            /** @description How many nodes its path has passed, itself included */
            depth: number;
            /** @description Of an item: its position, from 0; null or missing otherwise */
            item_index?: number;
            /**
             * Format: uuid
             * @description Of an item: the step of the mapped node; of a tool call: that of its agent; null or missing otherwise
             */
            parent_step_id?: string;
            /** @description Iteration of the innermost loop around the node, from 0; null or missing outside of loops */
            iteration?: number;
            /** @description What came out; null when there is nothing, or when it is too large to be shown */
            output: components["schemas"]["Json"];
            /** @description The output is too large to be shown here: read the step, or the record */
            output_truncated: boolean;
            /** @description The handle whose edges were taken; null when none was */
            selected_handle: string | null;
            /** @description How long it took, in milliseconds; null until it has ended */
            duration_ms: number;
            /** @description Tokens that were used; null when no model was called */
            usage: components["schemas"]["TokenUsage"] | null;
            /** @description Credits that it was charged; 100 are one currency unit */
            credits: number;
            /** @description What is odd and did not stop it */
            warnings: components["schemas"]["StepWarning"][];
        };
        TokenUsage: {
            /** @description Tokens that the model read */
            input_tokens: number;
            /** @description Tokens that the model wrote */
            output_tokens: number;
            /** @description Both together */
            total_tokens: number;
            /** @description Of those read, how many the provider had in its cache */
            cached_tokens?: number;
            /** @description Whether it was on the organization's own account, which costs no credits */
            byok?: boolean;
        };
        StepWarning: {
            /** @description A stable word for programs */
            code: string;
            /** @description What has happened, for people */
            message: string;
        };
        /**
         * @example {
         *       "type": "node_failed",
         *       "run_id": "0a1b2c3d-4e5f-4061-8273-849506a79909",
         *       "thread_id": "3d4e5f60-7182-4394-85a6-a7b8c9dacc0c",
         *       "timestamp": "2026-11-02T09:30:00.000Z",
         *       "seq": 4,
         *       "step_id": "2c3d4e5f-6071-4283-9495-06a7b8c9bb0b",
         *       "node_id": "customer",
         *       "node_type": "tool",
         *       "node_name": "customer",
         *       "attempt": 1,
         *       "depth": 1,
         *       "error": {
         *         "code": "http_error",
         *         "message": "The service answered 503",
         *         "retryable": true,
         *         "status": 503
         *       },
         *       "handled": true,
         *       "on_error": "branch"
         *     }
         */
        NodeFailedFrame: {
            /**
             * @description The word that says which of the alternatives this is (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "node_failed";
            /**
             * Format: uuid
             * @description The run that is listened to and cancelled; each answer to a question begins a new one
             */
            run_id: string;
            /** @description The conversation that the run is part of; null: none, as of an ephemeral run */
            thread_id: string | null;
            /**
             * Format: date-time
             * @description When this was said, ISO 8601 UTC
             */
            timestamp: string;
            /** @description Number of the event in its run, from 1 without gaps: where a reader goes on */
            seq: number;
            /**
             * Format: uuid
             * @description Id of the step: one execution of a node
             */
            step_id: string;
            /** @description Id of the node in the definition */
            node_id: string;
            /** @description Type of the node, such as `llm` */
            node_type: string;
            /** @description Name of the node; its id when it has none */
            node_name: string;
            /** @description Which attempt, from 1 */
            attempt: number;
            /** @description How many nodes its path has passed, itself included */
            depth: number;
            /** @description Of an item: its position, from 0; null or missing otherwise */
            item_index?: number;
            /**
             * Format: uuid
             * @description Of an item: the step of the mapped node; of a tool call: that of its agent; null or missing otherwise
             */
            parent_step_id?: string;
            /** @description Iteration of the innermost loop around the node, from 0; null or missing outside of loops */
            iteration?: number;
            /** @description Why it failed; null when it did not */
            error: components["schemas"]["Failure"];
            /** @description Whether the run goes on */
            handled: boolean;
            /** @description What the node does after its last failure: `fail`, `continue` or `branch` */
            on_error: string;
        };
        Failure: {
            /** @description A stable word */
            code: string;
            /** @description What has happened, for people */
            message: string;
            /** @description Class of the failure, such as `NodeError` */
            type?: string;
            /** @description The node that failed; null when no node did */
            node_id?: string | null;
            /** @description Whether the failure may pass by itself */
            retryable?: boolean;
            /** @description Status of an HTTP answer; null when there was none */
            status?: number | null;
            /** @description How many attempts were made */
            attempts?: number;
        };
        /**
         * @example {
         *       "type": "node_retry",
         *       "run_id": "0a1b2c3d-4e5f-4061-8273-849506a79909",
         *       "thread_id": "3d4e5f60-7182-4394-85a6-a7b8c9dacc0c",
         *       "timestamp": "2026-11-02T09:30:00.000Z",
         *       "seq": 4,
         *       "step_id": "2c3d4e5f-6071-4283-9495-06a7b8c9bb0b",
         *       "node_id": "customer",
         *       "node_type": "tool",
         *       "node_name": "customer",
         *       "attempt": 1,
         *       "depth": 1,
         *       "error": {
         *         "code": "http_error",
         *         "message": "The service answered 503",
         *         "retryable": true,
         *         "status": 503
         *       },
         *       "next_attempt": 2,
         *       "delay_ms": 1000
         *     }
         */
        NodeRetryFrame: {
            /**
             * @description The word that says which of the alternatives this is (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "node_retry";
            /**
             * Format: uuid
             * @description The run that is listened to and cancelled; each answer to a question begins a new one
             */
            run_id: string;
            /** @description The conversation that the run is part of; null: none, as of an ephemeral run */
            thread_id: string | null;
            /**
             * Format: date-time
             * @description When this was said, ISO 8601 UTC
             */
            timestamp: string;
            /** @description Number of the event in its run, from 1 without gaps: where a reader goes on */
            seq: number;
            /**
             * Format: uuid
             * @description Id of the step: one execution of a node
             */
            step_id: string;
            /** @description Id of the node in the definition */
            node_id: string;
            /** @description Type of the node, such as `llm` */
            node_type: string;
            /** @description Name of the node; its id when it has none */
            node_name: string;
            /** @description Which attempt, from 1 */
            attempt: number;
            /** @description How many nodes its path has passed, itself included */
            depth: number;
            /** @description Of an item: its position, from 0; null or missing otherwise */
            item_index?: number;
            /**
             * Format: uuid
             * @description Of an item: the step of the mapped node; of a tool call: that of its agent; null or missing otherwise
             */
            parent_step_id?: string;
            /** @description Iteration of the innermost loop around the node, from 0; null or missing outside of loops */
            iteration?: number;
            /** @description Why it failed; null when it did not */
            error: components["schemas"]["Failure"];
            /** @description The attempt that comes */
            next_attempt: number;
            /** @description How long until it comes, in milliseconds */
            delay_ms: number;
            /** @description The attempt before may have had its effect, so that it may happen twice */
            possibly_repeated?: boolean;
        };
        /**
         * @example {
         *       "type": "node_skipped",
         *       "run_id": "0a1b2c3d-4e5f-4061-8273-849506a79909",
         *       "thread_id": "3d4e5f60-7182-4394-85a6-a7b8c9dacc0c",
         *       "timestamp": "2026-11-02T09:30:00.000Z",
         *       "seq": 5,
         *       "step_id": "2c3d4e5f-6071-4283-9495-06a7b8c9bb0b",
         *       "node_id": "hello",
         *       "node_type": "transformer",
         *       "node_name": "hello",
         *       "attempt": 1,
         *       "depth": 1,
         *       "reason": "branch"
         *     }
         */
        NodeSkippedFrame: {
            /**
             * @description The word that says which of the alternatives this is (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "node_skipped";
            /**
             * Format: uuid
             * @description The run that is listened to and cancelled; each answer to a question begins a new one
             */
            run_id: string;
            /** @description The conversation that the run is part of; null: none, as of an ephemeral run */
            thread_id: string | null;
            /**
             * Format: date-time
             * @description When this was said, ISO 8601 UTC
             */
            timestamp: string;
            /** @description Number of the event in its run, from 1 without gaps: where a reader goes on */
            seq: number;
            /**
             * Format: uuid
             * @description Id of the step: one execution of a node
             */
            step_id: string;
            /** @description Id of the node in the definition */
            node_id: string;
            /** @description Type of the node, such as `llm` */
            node_type: string;
            /** @description Name of the node; its id when it has none */
            node_name: string;
            /** @description Which attempt, from 1 */
            attempt: number;
            /** @description How many nodes its path has passed, itself included */
            depth: number;
            /** @description Of an item: its position, from 0; null or missing otherwise */
            item_index?: number;
            /**
             * Format: uuid
             * @description Of an item: the step of the mapped node; of a tool call: that of its agent; null or missing otherwise
             */
            parent_step_id?: string;
            /** @description Iteration of the innermost loop around the node, from 0; null or missing outside of loops */
            iteration?: number;
            /**
             * @description No edge that leads here was taken, or the node is disabled
             * @enum {string}
             */
            reason: "branch" | "disabled";
        };
        /**
         * @example {
         *       "type": "node_reused",
         *       "run_id": "0a1b2c3d-4e5f-4061-8273-849506a79909",
         *       "thread_id": "3d4e5f60-7182-4394-85a6-a7b8c9dacc0c",
         *       "timestamp": "2026-11-02T09:30:00.000Z",
         *       "seq": 2,
         *       "step_id": "2c3d4e5f-6071-4283-9495-06a7b8c9bb0b",
         *       "node_id": "hello",
         *       "node_type": "transformer",
         *       "node_name": "hello",
         *       "attempt": 1,
         *       "depth": 1,
         *       "selected_handle": "default",
         *       "reused_from_step_id": "93a4b5c6-d7e8-49fa-8b0c-0d1e2f302212"
         *     }
         */
        NodeReusedFrame: {
            /**
             * @description The word that says which of the alternatives this is (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "node_reused";
            /**
             * Format: uuid
             * @description The run that is listened to and cancelled; each answer to a question begins a new one
             */
            run_id: string;
            /** @description The conversation that the run is part of; null: none, as of an ephemeral run */
            thread_id: string | null;
            /**
             * Format: date-time
             * @description When this was said, ISO 8601 UTC
             */
            timestamp: string;
            /** @description Number of the event in its run, from 1 without gaps: where a reader goes on */
            seq: number;
            /**
             * Format: uuid
             * @description Id of the step: one execution of a node
             */
            step_id: string;
            /** @description Id of the node in the definition */
            node_id: string;
            /** @description Type of the node, such as `llm` */
            node_type: string;
            /** @description Name of the node; its id when it has none */
            node_name: string;
            /** @description Which attempt, from 1 */
            attempt: number;
            /** @description How many nodes its path has passed, itself included */
            depth: number;
            /** @description Of an item: its position, from 0; null or missing otherwise */
            item_index?: number;
            /**
             * Format: uuid
             * @description Of an item: the step of the mapped node; of a tool call: that of its agent; null or missing otherwise
             */
            parent_step_id?: string;
            /** @description Iteration of the innermost loop around the node, from 0; null or missing outside of loops */
            iteration?: number;
            /** @description The handle whose edges were taken; null when none was */
            selected_handle: string | null;
            /** @description The step of an earlier run whose values stand here; null: a given output */
            reused_from_step_id: string | null;
        };
        /**
         * @example {
         *       "type": "state_updated",
         *       "run_id": "0a1b2c3d-4e5f-4061-8273-849506a79909",
         *       "thread_id": "3d4e5f60-7182-4394-85a6-a7b8c9dacc0c",
         *       "timestamp": "2026-11-02T09:30:00.000Z",
         *       "seq": 6,
         *       "step_id": "2c3d4e5f-6071-4283-9495-06a7b8c9bb0b",
         *       "node_id": "hello",
         *       "node_type": "transformer",
         *       "node_name": "hello",
         *       "attempt": 1,
         *       "depth": 1,
         *       "fields": [
         *         "tags"
         *       ]
         *     }
         */
        StateUpdatedFrame: {
            /**
             * @description The word that says which of the alternatives this is (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "state_updated";
            /**
             * Format: uuid
             * @description The run that is listened to and cancelled; each answer to a question begins a new one
             */
            run_id: string;
            /** @description The conversation that the run is part of; null: none, as of an ephemeral run */
            thread_id: string | null;
            /**
             * Format: date-time
             * @description When this was said, ISO 8601 UTC
             */
            timestamp: string;
            /** @description Number of the event in its run, from 1 without gaps: where a reader goes on */
            seq: number;
            /**
             * Format: uuid
             * @description Id of the step: one execution of a node
             */
            step_id: string;
            /** @description Id of the node in the definition */
            node_id: string;
            /** @description Type of the node, such as `llm` */
            node_type: string;
            /** @description Name of the node; its id when it has none */
            node_name: string;
            /** @description Which attempt, from 1 */
            attempt: number;
            /** @description How many nodes its path has passed, itself included */
            depth: number;
            /** @description Of an item: its position, from 0; null or missing otherwise */
            item_index?: number;
            /**
             * Format: uuid
             * @description Of an item: the step of the mapped node; of a tool call: that of its agent; null or missing otherwise
             */
            parent_step_id?: string;
            /** @description Iteration of the innermost loop around the node, from 0; null or missing outside of loops */
            iteration?: number;
            /** @description The declared fields that changed */
            fields: string[];
        };
        /**
         * @example {
         *       "type": "token",
         *       "run_id": "0a1b2c3d-4e5f-4061-8273-849506a79909",
         *       "thread_id": "3d4e5f60-7182-4394-85a6-a7b8c9dacc0c",
         *       "timestamp": "2026-11-02T09:30:00.000Z",
         *       "seq": 7,
         *       "step_id": "2c3d4e5f-6071-4283-9495-06a7b8c9bb0b",
         *       "node_id": "classify",
         *       "node_type": "llm",
         *       "node_name": "classify",
         *       "attempt": 1,
         *       "depth": 1,
         *       "delta": "Hel",
         *       "channel": "content",
         *       "replay": false
         *     }
         */
        TokenFrame: {
            /**
             * @description The word that says which of the alternatives this is (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "token";
            /**
             * Format: uuid
             * @description The run that is listened to and cancelled; each answer to a question begins a new one
             */
            run_id: string;
            /** @description The conversation that the run is part of; null: none, as of an ephemeral run */
            thread_id: string | null;
            /**
             * Format: date-time
             * @description When this was said, ISO 8601 UTC
             */
            timestamp: string;
            /** @description Number of the event in its run, from 1 without gaps: where a reader goes on */
            seq: number;
            /**
             * Format: uuid
             * @description Id of the step: one execution of a node
             */
            step_id: string;
            /** @description Id of the node in the definition */
            node_id: string;
            /** @description Type of the node, such as `llm` */
            node_type: string;
            /** @description Name of the node; its id when it has none */
            node_name: string;
            /** @description Which attempt, from 1 */
            attempt: number;
            /** @description How many nodes its path has passed, itself included */
            depth: number;
            /** @description Of an item: its position, from 0; null or missing otherwise */
            item_index?: number;
            /**
             * Format: uuid
             * @description Of an item: the step of the mapped node; of a tool call: that of its agent; null or missing otherwise
             */
            parent_step_id?: string;
            /** @description Iteration of the innermost loop around the node, from 0; null or missing outside of loops */
            iteration?: number;
            /** @description The next piece of the text */
            delta: string;
            /**
             * @description The answer, or what the model thinks before it
             * @enum {string}
             */
            channel: "content" | "reasoning";
            /** @description Whether it was told before */
            replay: boolean;
        };
        /**
         * @example {
         *       "type": "token_reset",
         *       "run_id": "0a1b2c3d-4e5f-4061-8273-849506a79909",
         *       "thread_id": "3d4e5f60-7182-4394-85a6-a7b8c9dacc0c",
         *       "timestamp": "2026-11-02T09:30:00.000Z",
         *       "seq": 8,
         *       "step_id": "2c3d4e5f-6071-4283-9495-06a7b8c9bb0b",
         *       "node_id": "classify",
         *       "node_type": "llm",
         *       "node_name": "classify",
         *       "attempt": 1,
         *       "depth": 1,
         *       "reason": "retry"
         *     }
         */
        TokenResetFrame: {
            /**
             * @description The word that says which of the alternatives this is (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "token_reset";
            /**
             * Format: uuid
             * @description The run that is listened to and cancelled; each answer to a question begins a new one
             */
            run_id: string;
            /** @description The conversation that the run is part of; null: none, as of an ephemeral run */
            thread_id: string | null;
            /**
             * Format: date-time
             * @description When this was said, ISO 8601 UTC
             */
            timestamp: string;
            /** @description Number of the event in its run, from 1 without gaps: where a reader goes on */
            seq: number;
            /**
             * Format: uuid
             * @description Id of the step: one execution of a node
             */
            step_id: string;
            /** @description Id of the node in the definition */
            node_id: string;
            /** @description Type of the node, such as `llm` */
            node_type: string;
            /** @description Name of the node; its id when it has none */
            node_name: string;
            /** @description Which attempt, from 1 */
            attempt: number;
            /** @description How many nodes its path has passed, itself included */
            depth: number;
            /** @description Of an item: its position, from 0; null or missing otherwise */
            item_index?: number;
            /**
             * Format: uuid
             * @description Of an item: the step of the mapped node; of a tool call: that of its agent; null or missing otherwise
             */
            parent_step_id?: string;
            /** @description Iteration of the innermost loop around the node, from 0; null or missing outside of loops */
            iteration?: number;
            /**
             * @description Why what this step has said so far is void
             * @enum {string}
             */
            reason: "retry" | "tool_turn" | "moderation";
        };
        /**
         * @example {
         *       "type": "progress",
         *       "run_id": "0a1b2c3d-4e5f-4061-8273-849506a79909",
         *       "thread_id": "3d4e5f60-7182-4394-85a6-a7b8c9dacc0c",
         *       "timestamp": "2026-11-02T09:30:00.000Z",
         *       "seq": 9,
         *       "step_id": "2c3d4e5f-6071-4283-9495-06a7b8c9bb0b",
         *       "node_id": "refund",
         *       "node_type": "tool",
         *       "node_name": "refund",
         *       "attempt": 1,
         *       "depth": 1,
         *       "data": {
         *         "waits_for": [
         *           {
         *             "run_id": "0a1b2c3d-4e5f-4061-8273-849506a79909",
         *             "run_pk": "1b2c3d4e-5f60-4172-8384-9506a7b8aa0a",
         *             "workflow_name": "Refunds",
         *             "interrupts": [
         *               {
         *                 "interrupt_id": "approve#1",
         *                 "node_id": "approve",
         *                 "kind": "approval",
         *                 "title": "Refund of 120",
         *                 "assignees": {
         *                   "roles": [
         *                     "owner"
         *                   ],
         *                   "user_ids": []
         *                 },
         *                 "expires_at": null
         *               }
         *             ]
         *           }
         *         ]
         *       }
         *     }
         */
        ProgressFrame: {
            /**
             * @description The word that says which of the alternatives this is (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "progress";
            /**
             * Format: uuid
             * @description The run that is listened to and cancelled; each answer to a question begins a new one
             */
            run_id: string;
            /** @description The conversation that the run is part of; null: none, as of an ephemeral run */
            thread_id: string | null;
            /**
             * Format: date-time
             * @description When this was said, ISO 8601 UTC
             */
            timestamp: string;
            /** @description Number of the event in its run, from 1 without gaps: where a reader goes on */
            seq: number;
            /**
             * Format: uuid
             * @description Id of the step: one execution of a node
             */
            step_id: string;
            /** @description Id of the node in the definition */
            node_id: string;
            /** @description Type of the node, such as `llm` */
            node_type: string;
            /** @description Name of the node; its id when it has none */
            node_name: string;
            /** @description Which attempt, from 1 */
            attempt: number;
            /** @description How many nodes its path has passed, itself included */
            depth: number;
            /** @description Of an item: its position, from 0; null or missing otherwise */
            item_index?: number;
            /**
             * Format: uuid
             * @description Of an item: the step of the mapped node; of a tool call: that of its agent; null or missing otherwise
             */
            parent_step_id?: string;
            /** @description Iteration of the innermost loop around the node, from 0; null or missing outside of loops */
            iteration?: number;
            /** @description Of a sub-workflow: `waits_for`, the runs below it that wait for an answer, as in the record, without `step_id`; none once they go on. Of other nodes: what they say */
            data: components["schemas"]["Json"];
        };
        /**
         * @example {
         *       "type": "tool_call",
         *       "run_id": "0a1b2c3d-4e5f-4061-8273-849506a79909",
         *       "thread_id": "3d4e5f60-7182-4394-85a6-a7b8c9dacc0c",
         *       "timestamp": "2026-11-02T09:30:00.000Z",
         *       "seq": 10,
         *       "step_id": "2c3d4e5f-6071-4283-9495-06a7b8c9bb0b",
         *       "node_id": "support",
         *       "node_type": "knowledge",
         *       "node_name": "search_handbook",
         *       "attempt": 1,
         *       "depth": 1,
         *       "parent_step_id": "5f607182-93a4-45b6-87c8-c9daebfcee0e",
         *       "tool_call_id": "call_1",
         *       "name": "search_handbook",
         *       "phase": "end",
         *       "status": "succeeded",
         *       "duration_ms": 84
         *     }
         */
        ToolCallFrame: {
            /**
             * @description The word that says which of the alternatives this is (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "tool_call";
            /**
             * Format: uuid
             * @description The run that is listened to and cancelled; each answer to a question begins a new one
             */
            run_id: string;
            /** @description The conversation that the run is part of; null: none, as of an ephemeral run */
            thread_id: string | null;
            /**
             * Format: date-time
             * @description When this was said, ISO 8601 UTC
             */
            timestamp: string;
            /** @description Number of the event in its run, from 1 without gaps: where a reader goes on */
            seq: number;
            /**
             * Format: uuid
             * @description Id of the step: one execution of a node
             */
            step_id: string;
            /** @description Id of the node in the definition */
            node_id: string;
            /** @description Type of the node, such as `llm` */
            node_type: string;
            /** @description Name of the node; its id when it has none */
            node_name: string;
            /** @description Which attempt, from 1 */
            attempt: number;
            /** @description How many nodes its path has passed, itself included */
            depth: number;
            /** @description Of an item: its position, from 0; null or missing otherwise */
            item_index?: number;
            /**
             * Format: uuid
             * @description Of an item: the step of the mapped node; of a tool call: that of its agent; null or missing otherwise
             */
            parent_step_id?: string;
            /** @description Iteration of the innermost loop around the node, from 0; null or missing outside of loops */
            iteration?: number;
            /** @description Id of the call, given by the model */
            tool_call_id: string;
            /** @description Name of the tool */
            name: string;
            /**
             * @description The call begins, begins again, or is over
             * @enum {string}
             */
            phase: "start" | "retry" | "end";
            /**
             * @description How it goes
             * @enum {string}
             */
            status: "running" | "succeeded" | "failed";
            /** @description How long it took, in milliseconds; null until it has ended */
            duration_ms: number | null;
            /** @description The attempt before may have had its effect, so that it may happen twice */
            possibly_repeated?: boolean;
        };
        /**
         * @example {
         *       "type": "interrupt",
         *       "run_id": "0a1b2c3d-4e5f-4061-8273-849506a79909",
         *       "thread_id": "3d4e5f60-7182-4394-85a6-a7b8c9dacc0c",
         *       "timestamp": "2026-11-02T09:30:00.000Z",
         *       "seq": 11,
         *       "step_id": "2c3d4e5f-6071-4283-9495-06a7b8c9bb0b",
         *       "node_id": "approve",
         *       "node_type": "interrupt",
         *       "node_name": "approve",
         *       "attempt": 1,
         *       "depth": 1,
         *       "interrupt_id": "approve#1",
         *       "kind": "approval",
         *       "title": "Refund of 120",
         *       "message": "The customer asks for it",
         *       "payload": {
         *         "amount": 120
         *       },
         *       "form": null,
         *       "actions": [
         *         {
         *           "id": "approve",
         *           "label": "Approve"
         *         }
         *       ],
         *       "assignees": {
         *         "roles": [
         *           "owner"
         *         ],
         *         "user_ids": []
         *       },
         *       "expires_at": null
         *     }
         */
        InterruptFrame: {
            /**
             * @description The word that says which of the alternatives this is (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "interrupt";
            /**
             * Format: uuid
             * @description The run that is listened to and cancelled; each answer to a question begins a new one
             */
            run_id: string;
            /** @description The conversation that the run is part of; null: none, as of an ephemeral run */
            thread_id: string | null;
            /**
             * Format: date-time
             * @description When this was said, ISO 8601 UTC
             */
            timestamp: string;
            /** @description Number of the event in its run, from 1 without gaps: where a reader goes on */
            seq: number;
            /**
             * Format: uuid
             * @description Id of the step: one execution of a node
             */
            step_id: string;
            /** @description Id of the node in the definition */
            node_id: string;
            /** @description Type of the node, such as `llm` */
            node_type: string;
            /** @description Name of the node; its id when it has none */
            node_name: string;
            /** @description Which attempt, from 1 */
            attempt: number;
            /** @description How many nodes its path has passed, itself included */
            depth: number;
            /** @description Of an item: its position, from 0; null or missing otherwise */
            item_index?: number;
            /**
             * Format: uuid
             * @description Of an item: the step of the mapped node; of a tool call: that of its agent; null or missing otherwise
             */
            parent_step_id?: string;
            /** @description Iteration of the innermost loop around the node, from 0; null or missing outside of loops */
            iteration?: number;
            /** @description Id of the question, sent back with the answer */
            interrupt_id: string;
            /**
             * @description `tool_approval`: an agent asks about one of its tool calls
             * @enum {string}
             */
            kind: "approval" | "input" | "tool_approval";
            /** @description The question in a line */
            title: string;
            /** @description More about the question */
            message: string;
            /** @description What whoever answers shall see; null: nothing */
            payload: components["schemas"]["Json"];
            /** @description JSON Schema of the answer's data */
            form: components["schemas"]["JsonObject"] | null;
            /** @description What may be answered; empty: the data alone */
            actions: components["schemas"]["InterruptAction"][];
            /** @description Who may answer */
            assignees: components["schemas"]["InterruptAssignees"];
            /** @description Until when an answer is taken, ISO 8601 UTC; null: for ever */
            expires_at: string | null;
        };
        InterruptAction: {
            /** @description The word that the answer sends */
            id: string;
            /** @description Shown to people */
            label: string;
        };
        /** @description Nobody named: anybody of the organization may answer */
        InterruptAssignees: {
            /** @description Roles in the organization, any of which will do */
            roles: string[];
            /** @description Ids of users, any of whom will do */
            user_ids: string[];
        };
        /**
         * @example {
         *       "type": "interrupt_resolved",
         *       "run_id": "0a1b2c3d-4e5f-4061-8273-849506a79909",
         *       "thread_id": "3d4e5f60-7182-4394-85a6-a7b8c9dacc0c",
         *       "timestamp": "2026-11-02T09:30:00.000Z",
         *       "seq": 2,
         *       "step_id": "2c3d4e5f-6071-4283-9495-06a7b8c9bb0b",
         *       "node_id": "approve",
         *       "node_type": "interrupt",
         *       "node_name": "approve",
         *       "attempt": 1,
         *       "depth": 1,
         *       "interrupt_id": "approve#1",
         *       "action": "approve",
         *       "responded_by": "2f6b1c0e-3a77-4d0c-8a43-0a5d6ad0b202",
         *       "timed_out": false
         *     }
         */
        InterruptResolvedFrame: {
            /**
             * @description The word that says which of the alternatives this is (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "interrupt_resolved";
            /**
             * Format: uuid
             * @description The run that is listened to and cancelled; each answer to a question begins a new one
             */
            run_id: string;
            /** @description The conversation that the run is part of; null: none, as of an ephemeral run */
            thread_id: string | null;
            /**
             * Format: date-time
             * @description When this was said, ISO 8601 UTC
             */
            timestamp: string;
            /** @description Number of the event in its run, from 1 without gaps: where a reader goes on */
            seq: number;
            /**
             * Format: uuid
             * @description Id of the step: one execution of a node
             */
            step_id: string;
            /** @description Id of the node in the definition */
            node_id: string;
            /** @description Type of the node, such as `llm` */
            node_type: string;
            /** @description Name of the node; its id when it has none */
            node_name: string;
            /** @description Which attempt, from 1 */
            attempt: number;
            /** @description How many nodes its path has passed, itself included */
            depth: number;
            /** @description Of an item: its position, from 0; null or missing otherwise */
            item_index?: number;
            /**
             * Format: uuid
             * @description Of an item: the step of the mapped node; of a tool call: that of its agent; null or missing otherwise
             */
            parent_step_id?: string;
            /** @description Iteration of the innermost loop around the node, from 0; null or missing outside of loops */
            iteration?: number;
            /** @description Id of the question, sent back with the answer */
            interrupt_id: string;
            /** @description The action that was chosen; null: none */
            action: string | null;
            /** @description Id of the user who answered; null before, and when nobody did */
            responded_by: string | null;
            /** @description Whether nobody has answered in time */
            timed_out: boolean;
        };
        /**
         * @example {
         *       "type": "run_completed",
         *       "run_id": "0a1b2c3d-4e5f-4061-8273-849506a79909",
         *       "thread_id": "3d4e5f60-7182-4394-85a6-a7b8c9dacc0c",
         *       "timestamp": "2026-11-02T09:30:01.250Z",
         *       "seq": 12,
         *       "duration_ms": 1250,
         *       "usage": {
         *         "input_tokens": 120,
         *         "output_tokens": 18,
         *         "total_tokens": 138
         *       },
         *       "credits": 0.4,
         *       "handled_error_count": 0,
         *       "status": "completed",
         *       "output": {
         *         "said": "Hello Ada"
         *       },
         *       "output_truncated": false
         *     }
         */
        RunCompletedFrame: {
            /**
             * @description The word that says which of the alternatives this is (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "run_completed";
            /**
             * Format: uuid
             * @description The run that is listened to and cancelled; each answer to a question begins a new one
             */
            run_id: string;
            /** @description The conversation that the run is part of; null: none, as of an ephemeral run */
            thread_id: string | null;
            /**
             * Format: date-time
             * @description When this was said, ISO 8601 UTC
             */
            timestamp: string;
            /** @description Number of the event in its run, from 1 without gaps: where a reader goes on */
            seq: number;
            /** @description From its start to its end, in milliseconds */
            duration_ms: number;
            /** @description Tokens that were used; null when no model was called */
            usage?: components["schemas"]["TokenUsage"] | null;
            /** @description Credits that it was charged; 100 are one currency unit */
            credits?: number;
            /** @description How many failures of nodes were handled by the definition */
            handled_error_count?: number;
            /**
             * @description How it ended
             * @constant
             */
            status: "completed";
            /** @description What came out; null when there is nothing, or when it is too large to be shown */
            output: components["schemas"]["Json"];
            /** @description The output is too large to be shown here: read the step, or the record */
            output_truncated: boolean;
        };
        /**
         * @example {
         *       "type": "run_failed",
         *       "run_id": "0a1b2c3d-4e5f-4061-8273-849506a79909",
         *       "thread_id": "3d4e5f60-7182-4394-85a6-a7b8c9dacc0c",
         *       "timestamp": "2026-11-02T09:30:01.250Z",
         *       "seq": 12,
         *       "duration_ms": 1250,
         *       "usage": {
         *         "input_tokens": 120,
         *         "output_tokens": 18,
         *         "total_tokens": 138
         *       },
         *       "credits": 0.4,
         *       "handled_error_count": 0,
         *       "status": "failed",
         *       "error": {
         *         "code": "http_error",
         *         "message": "The service answered 503",
         *         "retryable": true,
         *         "status": 503,
         *         "node_id": "customer",
         *         "attempts": 3
         *       }
         *     }
         */
        RunFailedFrame: {
            /**
             * @description The word that says which of the alternatives this is (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "run_failed";
            /**
             * Format: uuid
             * @description The run that is listened to and cancelled; each answer to a question begins a new one
             */
            run_id: string;
            /** @description The conversation that the run is part of; null: none, as of an ephemeral run */
            thread_id: string | null;
            /**
             * Format: date-time
             * @description When this was said, ISO 8601 UTC
             */
            timestamp: string;
            /** @description Number of the event in its run, from 1 without gaps: where a reader goes on */
            seq: number;
            /** @description From its start to its end, in milliseconds */
            duration_ms: number;
            /** @description Tokens that were used; null when no model was called */
            usage?: components["schemas"]["TokenUsage"] | null;
            /** @description Credits that it was charged; 100 are one currency unit */
            credits?: number;
            /** @description How many failures of nodes were handled by the definition */
            handled_error_count?: number;
            /**
             * @description How it ended
             * @constant
             */
            status: "failed";
            /** @description Why it failed; null when it did not */
            error: components["schemas"]["Failure"] | null;
        };
        /**
         * @example {
         *       "type": "run_cancelled",
         *       "run_id": "0a1b2c3d-4e5f-4061-8273-849506a79909",
         *       "thread_id": "3d4e5f60-7182-4394-85a6-a7b8c9dacc0c",
         *       "timestamp": "2026-11-02T09:30:01.250Z",
         *       "seq": 12,
         *       "duration_ms": 1250,
         *       "usage": {
         *         "input_tokens": 120,
         *         "output_tokens": 18,
         *         "total_tokens": 138
         *       },
         *       "credits": 0.4,
         *       "handled_error_count": 0,
         *       "status": "cancelled",
         *       "reason": "Started by mistake"
         *     }
         */
        RunCancelledFrame: {
            /**
             * @description The word that says which of the alternatives this is (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "run_cancelled";
            /**
             * Format: uuid
             * @description The run that is listened to and cancelled; each answer to a question begins a new one
             */
            run_id: string;
            /** @description The conversation that the run is part of; null: none, as of an ephemeral run */
            thread_id: string | null;
            /**
             * Format: date-time
             * @description When this was said, ISO 8601 UTC
             */
            timestamp: string;
            /** @description Number of the event in its run, from 1 without gaps: where a reader goes on */
            seq: number;
            /** @description From its start to its end, in milliseconds */
            duration_ms: number;
            /** @description Tokens that were used; null when no model was called */
            usage?: components["schemas"]["TokenUsage"] | null;
            /** @description Credits that it was charged; 100 are one currency unit */
            credits?: number;
            /** @description How many failures of nodes were handled by the definition */
            handled_error_count?: number;
            /**
             * @description How it ended
             * @constant
             */
            status: "cancelled";
            /** @description Why it was cancelled; null when nobody said */
            reason?: string | null;
        };
        /**
         * @example {
         *       "type": "run_interrupted",
         *       "run_id": "0a1b2c3d-4e5f-4061-8273-849506a79909",
         *       "thread_id": "3d4e5f60-7182-4394-85a6-a7b8c9dacc0c",
         *       "timestamp": "2026-11-02T09:30:01.250Z",
         *       "seq": 12,
         *       "duration_ms": 1250,
         *       "usage": {
         *         "input_tokens": 120,
         *         "output_tokens": 18,
         *         "total_tokens": 138
         *       },
         *       "credits": 0.4,
         *       "handled_error_count": 0,
         *       "status": "interrupted",
         *       "interrupts": [
         *         {
         *           "node_id": "approve",
         *           "interrupt_id": "approve#1",
         *           "kind": "approval",
         *           "title": "Refund of 120",
         *           "message": "The customer asks for it",
         *           "payload": {
         *             "amount": 120
         *           },
         *           "form": null,
         *           "actions": [
         *             {
         *               "id": "approve",
         *               "label": "Approve"
         *             }
         *           ],
         *           "assignees": {
         *             "roles": [
         *               "owner"
         *             ],
         *             "user_ids": []
         *           },
         *           "expires_at": null
         *         }
         *       ]
         *     }
         */
        RunInterruptedFrame: {
            /**
             * @description The word that says which of the alternatives this is (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "run_interrupted";
            /**
             * Format: uuid
             * @description The run that is listened to and cancelled; each answer to a question begins a new one
             */
            run_id: string;
            /** @description The conversation that the run is part of; null: none, as of an ephemeral run */
            thread_id: string | null;
            /**
             * Format: date-time
             * @description When this was said, ISO 8601 UTC
             */
            timestamp: string;
            /** @description Number of the event in its run, from 1 without gaps: where a reader goes on */
            seq: number;
            /** @description From its start to its end, in milliseconds */
            duration_ms: number;
            /** @description Tokens that were used; null when no model was called */
            usage?: components["schemas"]["TokenUsage"] | null;
            /** @description Credits that it was charged; 100 are one currency unit */
            credits?: number;
            /** @description How many failures of nodes were handled by the definition */
            handled_error_count?: number;
            /**
             * @description How it ended
             * @constant
             */
            status: "interrupted";
            /** @description The questions */
            interrupts?: components["schemas"]["OpenInterrupt"][];
            /**
             * Format: uuid
             * @description The `run_id` of the part that goes on from an answer, or from a question that expired; missing while the run waits
             */
            resumed_by_run_id?: string;
        };
        OpenInterrupt: {
            /** @description Id of the node in the definition */
            node_id: string;
            /** @description Id of the question, sent back with the answer */
            interrupt_id: string;
            /**
             * @description `tool_approval`: an agent asks about one of its tool calls
             * @enum {string}
             */
            kind: "approval" | "input" | "tool_approval";
            /** @description The question in a line */
            title: string;
            /** @description More about the question */
            message: string;
            /** @description What whoever answers shall see; null: nothing */
            payload: components["schemas"]["Json"];
            /** @description JSON Schema of the answer's data */
            form: components["schemas"]["JsonObject"] | null;
            /** @description What may be answered; empty: the data alone */
            actions: components["schemas"]["InterruptAction"][];
            /** @description Who may answer */
            assignees: components["schemas"]["InterruptAssignees"];
            /** @description Until when an answer is taken, ISO 8601 UTC; null: for ever */
            expires_at: string | null;
        };
        /**
         * @example {
         *       "type": "paused",
         *       "run_id": "0a1b2c3d-4e5f-4061-8273-849506a79909",
         *       "thread_id": "3d4e5f60-7182-4394-85a6-a7b8c9dacc0c",
         *       "timestamp": "2026-11-02T09:30:01.250Z",
         *       "seq": 12,
         *       "duration_ms": 1250,
         *       "usage": {
         *         "input_tokens": 120,
         *         "output_tokens": 18,
         *         "total_tokens": 138
         *       },
         *       "credits": 0.4,
         *       "handled_error_count": 0,
         *       "status": "interrupted",
         *       "interrupts": [
         *         {
         *           "node_id": "approve",
         *           "interrupt_id": "approve#1",
         *           "kind": "approval",
         *           "title": "Refund of 120",
         *           "message": "The customer asks for it",
         *           "payload": {
         *             "amount": 120
         *           },
         *           "form": null,
         *           "actions": [
         *             {
         *               "id": "approve",
         *               "label": "Approve"
         *             }
         *           ],
         *           "assignees": {
         *             "roles": [
         *               "owner"
         *             ],
         *             "user_ids": []
         *           },
         *           "expires_at": null
         *         }
         *       ]
         *     }
         */
        PausedFrame: {
            /**
             * @description The word that says which of the alternatives this is (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "paused";
            /**
             * Format: uuid
             * @description The run that is listened to and cancelled; each answer to a question begins a new one
             */
            run_id: string;
            /** @description The conversation that the run is part of; null: none, as of an ephemeral run */
            thread_id: string | null;
            /**
             * Format: date-time
             * @description When this was said, ISO 8601 UTC
             */
            timestamp: string;
            /** @description Number of the event in its run, from 1 without gaps: where a reader goes on */
            seq: number;
            /** @description From its start to where it waited, in milliseconds */
            duration_ms: number;
            /** @description Tokens that were used; null when no model was called */
            usage?: components["schemas"]["TokenUsage"] | null;
            /** @description Credits that it was charged; 100 are one currency unit */
            credits?: number;
            /** @description How many failures of nodes were handled by the definition */
            handled_error_count?: number;
            /**
             * @description The run waited here, and has ended since: its last frame says how
             * @constant
             */
            status: "interrupted";
            /** @description The questions */
            interrupts?: components["schemas"]["OpenInterrupt"][];
        };
        /**
         * @example {
         *       "type": "heartbeat",
         *       "run_id": "0a1b2c3d-4e5f-4061-8273-849506a79909",
         *       "thread_id": "3d4e5f60-7182-4394-85a6-a7b8c9dacc0c",
         *       "timestamp": "2026-11-02T09:30:00.000Z",
         *       "nodes": [
         *         {
         *           "node_id": "classify",
         *           "attempt": 1,
         *           "seq": 7,
         *           "tokens": 42
         *         }
         *       ]
         *     }
         */
        HeartbeatFrame: {
            /**
             * @description The word that says which of the alternatives this is (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "heartbeat";
            /**
             * Format: uuid
             * @description The run that is listened to and cancelled; each answer to a question begins a new one
             */
            run_id: string;
            /** @description The conversation that the run is part of; null: none, as of an ephemeral run */
            thread_id: string | null;
            /**
             * Format: date-time
             * @description When this was said, ISO 8601 UTC
             */
            timestamp: string;
            /** @description The nodes that are at work */
            nodes: components["schemas"]["HeartbeatNode"][];
        };
        HeartbeatNode: {
            /** @description Id of the node in the definition */
            node_id: string;
            /** @description Which attempt, from 1 */
            attempt: number;
            /** @description Number of the last event that the node has written; 0 before */
            seq: number;
            /** @description How many pieces of text the node has said */
            tokens: number;
        };
        /**
         * @example {
         *       "type": "snapshot",
         *       "run_id": "0a1b2c3d-4e5f-4061-8273-849506a79909",
         *       "thread_id": "3d4e5f60-7182-4394-85a6-a7b8c9dacc0c",
         *       "timestamp": "2026-11-02T09:30:01.250Z",
         *       "seq": 11,
         *       "status": "completed",
         *       "last_seq": 12,
         *       "nodes": [
         *         {
         *           "node_id": "hello",
         *           "step_id": "2c3d4e5f-6071-4283-9495-06a7b8c9bb0b",
         *           "status": "succeeded",
         *           "attempt": 1,
         *           "output": {
         *             "said": "Hello Ada"
         *           },
         *           "output_truncated": false
         *         }
         *       ],
         *       "partial_text": {},
         *       "interrupts": []
         *     }
         */
        SnapshotFrame: {
            /**
             * @description The word that says which of the alternatives this is (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "snapshot";
            /**
             * Format: uuid
             * @description The run that is listened to and cancelled; each answer to a question begins a new one
             */
            run_id: string;
            /** @description The conversation that the run is part of; null: none, as of an ephemeral run */
            thread_id: string | null;
            /**
             * Format: date-time
             * @description When this was said, ISO 8601 UTC
             */
            timestamp: string;
            /** @description Number of the event in its run, from 1 without gaps: where a reader goes on */
            seq: number;
            /** @description How the run ended */
            status: string;
            /** @description Number of the last event of the run */
            last_seq: number;
            /** @description The steps of the run, but not those of items */
            nodes: components["schemas"]["SnapshotNode"][];
            /** @description Text that was said so far, by step; empty once the run is over */
            partial_text: {
                [key: string]: string;
            };
            /** @description The questions */
            interrupts: components["schemas"]["SnapshotInterrupt"][];
        };
        SnapshotNode: {
            /** @description Id of the node in the definition */
            node_id: string;
            /**
             * Format: uuid
             * @description Id of the step: one execution of a node
             */
            step_id: string;
            /** @description Where the step stands, as in the record of the run */
            status: string;
            /** @description Which attempt, from 1 */
            attempt: number;
            /** @description What came out; null when there is nothing, or when it is too large to be shown */
            output: components["schemas"]["Json"];
            /** @description The output is too large to be shown here: read the step, or the record */
            output_truncated: boolean;
        };
        SnapshotInterrupt: {
            /** @description Id of the question, sent back with the answer */
            interrupt_id: string;
            /** @description Id of the node in the definition */
            node_id: string;
        };
        /**
         * @example {
         *       "type": "stream_error",
         *       "run_id": "0a1b2c3d-4e5f-4061-8273-849506a79909",
         *       "thread_id": "3d4e5f60-7182-4394-85a6-a7b8c9dacc0c",
         *       "timestamp": "2026-11-02T09:30:00.000Z",
         *       "code": "run_removed",
         *       "message": "The run is no longer stored"
         *     }
         */
        StreamErrorFrame: {
            /**
             * @description The word that says which of the alternatives this is (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "stream_error";
            /**
             * Format: uuid
             * @description The run that is listened to and cancelled; each answer to a question begins a new one
             */
            run_id: string;
            /** @description The conversation that the run is part of; null: none, as of an ephemeral run */
            thread_id: string | null;
            /**
             * Format: date-time
             * @description When this was said, ISO 8601 UTC
             */
            timestamp: string;
            /** @description A stable word for programs */
            code: string;
            /** @description Why the stream cannot go on; it says nothing about the run */
            message: string;
        };
        ServiceRoot: {
            /** @description Name of the service */
            service: string;
            /** @description Version of the build */
            version: string;
            /** @description Path of the OpenAPI document */
            openapi: string;
        };
        Health: {
            /**
             * @description The process answers; says nothing about what it needs
             * @constant
             */
            status: "healthy";
            /** @description Name of the service */
            service: string;
            /** @description Version of the build */
            version: string;
        };
        HealthReport: {
            /**
             * @description The worst of the checks
             * @enum {string}
             */
            overall: "healthy" | "warning" | "unhealthy";
            /** @description Each check by its name */
            checks: {
                [key: string]: components["schemas"]["HealthCheck"];
            };
            /** @description Version of the build */
            version: string;
            /**
             * Format: date-time
             * @description When this was said, ISO 8601 UTC
             */
            timestamp: string;
        };
        HealthCheck: {
            /**
             * @description How this check came out
             * @enum {string}
             */
            status: "healthy" | "warning" | "unhealthy";
            /** @description What was found, for the operator */
            message: string;
        };
        WorkflowList: {
            /** @description The workflows of this page, or all of them */
            workflows: components["schemas"]["WorkflowSummary"][];
            /** @description How many workflows match in all */
            total: number;
            /** @description Which page this is, from 1; only where `page_size` was sent */
            page?: number;
            /** @description Rows of a page; only where it was sent */
            page_size?: number;
            /** @description How many pages there are; only where `page_size` was sent */
            total_pages?: number;
        };
        WorkflowSummary: {
            /**
             * Format: uuid
             * @description Its id, given by the service
             */
            id: string;
            /** @description What people call it */
            name: string;
            /** @description In a few words, for people; null or empty when there are none */
            description: string | null;
            /** @description A label for people, such as 1.0.0; null: none */
            version: string | null;
            /**
             * @description A label: it does not decide whether the workflow runs; the Assistant is not offered archived ones
             * @enum {string}
             */
            status: "draft" | "active" | "archived";
            /**
             * @description Who shall see it; `private` behaves like `organization`, `system` belongs to the operator
             * @enum {string}
             */
            visibility: "private" | "organization" | "public" | "system";
            /** @description A word to sort by; null: none */
            category: string | null;
            /** @description Words to find it by */
            tags: string[];
            /** @description Id of the user who made it; null when that user is gone */
            creator_id: string | null;
            /**
             * Format: date-time
             * @description When it was made, ISO 8601 UTC
             */
            created_at: string;
            /**
             * Format: date-time
             * @description When it was changed last, ISO 8601 UTC
             */
            updated_at: string;
        };
        Workflow: {
            /**
             * Format: uuid
             * @description Its id, given by the service
             */
            id: string;
            /** @description What people call it */
            name: string;
            /** @description In a few words, for people; null or empty when there are none */
            description: string | null;
            /** @description A label for people, such as 1.0.0; null: none */
            version: string | null;
            /**
             * @description A label: it does not decide whether the workflow runs; the Assistant is not offered archived ones
             * @enum {string}
             */
            status: "draft" | "active" | "archived";
            /**
             * @description Who shall see it; `private` behaves like `organization`, `system` belongs to the operator
             * @enum {string}
             */
            visibility: "private" | "organization" | "public" | "system";
            /** @description A word to sort by; null: none */
            category: string | null;
            /** @description Words to find it by */
            tags: string[];
            /** @description Id of the user who made it; null when that user is gone */
            creator_id: string | null;
            /**
             * Format: date-time
             * @description When it was made, ISO 8601 UTC
             */
            created_at: string;
            /**
             * Format: date-time
             * @description When it was changed last, ISO 8601 UTC
             */
            updated_at: string;
            /**
             * Format: uuid
             * @description Id of the organization that it belongs to
             */
            organization_id: string;
            /** @description The definition: the graph of nodes and edges */
            workflow_schema: {
                [key: string]: components["schemas"]["Json"];
            } | components["schemas"]["WorkflowDefinition"] | components["schemas"]["WorkflowDraft"];
            /** @description Default input of runs, captured by a deployment */
            input: components["schemas"]["JsonObject"];
            /** @description Default settings of runs, captured by a deployment */
            config: components["schemas"]["JsonObject"];
            /** @description Counts saved edits, from 0; not the `version` for people */
            edit_version: number | null;
            /** @description Id of the user of the last edit; null when there was none, or when that user is gone */
            last_edited_by: string | null;
            /** @description When the last edit was saved, ISO 8601 UTC; null when there was none */
            last_edited_at: string | null;
            /** @description Id of the deployment that runs; null: none is live */
            live_deployment_id: string | null;
            /** @description What a deploy or a run of the saved definition would refuse */
            problems: components["schemas"]["DefinitionProblem"][];
            /** @description Unknown fields of the body, which were ignored, and numbers that were kept as text to preserve their digits */
            warnings?: components["schemas"]["BodyWarning"][];
        };
        DefinitionProblem: {
            /**
             * @description An error keeps the definition from being deployed and run; a warning does not
             * @enum {string}
             */
            severity: "error" | "warning";
            /** @description A stable word for programs */
            code: string;
            /** @description What is wrong, for people */
            message: string;
            /** @description Where in the definition: keys and positions from its top */
            path: (string | number)[];
            /** @description The node that it is about; missing when it is about none */
            node_id?: string;
        };
        BodyWarning: {
            /**
             * @description A stable word for programs
             * @enum {string}
             */
            code: "unknown_field" | "number_as_text";
            /** @description Which field is meant, and what became of it, for people */
            message: string;
            /** @description Where in the request: `body`, `query` or `path`, then keys and positions */
            loc: string[];
        };
        WorkflowDeleted: {
            /**
             * @description Whether it was done
             * @constant
             */
            success: true;
            /** @description What has happened, for people */
            message: string;
            /** @description Workflows that still call it; missing when none does */
            used_by?: components["schemas"]["WorkflowUser"][];
        };
        WorkflowUser: {
            /**
             * Format: uuid
             * @description Id of a workflow that calls this one
             */
            workflow_id: string;
            /** @description Its name */
            name: string;
            /** @description Whether its live deployment calls, and not its draft alone */
            is_live: boolean;
        };
        WorkflowUsage: {
            /** @description Workflows that call it, those with a live deployment that does first; at most 100 */
            used_by: components["schemas"]["WorkflowUser"][];
        };
        RunStartedOrEnded: {
            /**
             * @description Where it stands
             * @enum {string}
             */
            status: "running" | "interrupted" | "completed" | "failed" | "cancelled";
            /**
             * Format: uuid
             * @description The run that is listened to and cancelled; each answer to a question begins a new one
             */
            run_id: string;
            /** @description The conversation that the run is part of; null: none, as of an ephemeral run */
            thread_id: string | null;
            /** @description Id of the chat that the run is part of; null when it is part of none */
            chat_id: string | null;
            /** @description Whether the run stands in no history and on no thread */
            ephemeral: boolean;
            /** @description What the caller said of following the events */
            stream: boolean;
            /** @description Name of the workflow when the run began */
            workflow_name: string;
            /** @description Version of the deployment, or what an inline definition says of itself */
            workflow_version: string;
            /** @description `database`, `request`, or `system:` and a name */
            workflow_source: string;
            /** @description How long the request took, in milliseconds */
            elapsed_ms: number;
            /** @description What the person said: the message or the text of the input, else the input as JSON */
            human_message: components["schemas"]["RunMessage"];
            /** @description The answer that the run shall give; it is empty until then */
            ai_message: components["schemas"]["RunMessage"];
            /** @description What has happened, for people */
            message: string;
            /** @description Unknown fields of the body, which were ignored, and numbers that were kept as text to preserve their digits */
            warnings?: components["schemas"]["BodyWarning"][];
            /** @description What came out; null when there is nothing, or when it is too large to be shown */
            output?: components["schemas"]["Json"];
            /** @description The output is too large to be shown here: read the step, or the record */
            output_truncated?: boolean;
            /** @description Why it failed; null when it did not */
            error?: components["schemas"]["Failure"] | null;
            /** @description The questions */
            interrupts?: components["schemas"]["OpenQuestion"][];
            /** @description Tokens that were used; null when no model was called */
            usage?: components["schemas"]["TokenUsage"] | null;
            /** @description How long it took, in milliseconds; null until it has ended */
            duration_ms?: number;
        };
        RunMessage: {
            /**
             * Format: uuid
             * @description Its id, given by the service
             */
            id: string;
            /**
             * @description Who says it
             * @enum {string}
             */
            role: "human" | "ai";
            /** @description What was said, at most 2,000 characters; empty until there is an answer */
            content: string;
            /**
             * @description An answer is pending until its run is over
             * @enum {string}
             */
            status: "completed" | "pending";
            /**
             * Format: uuid
             * @description The run that is listened to and cancelled; each answer to a question begins a new one
             */
            run_id: string;
            /** @description Id of the chat that the run is part of; null when it is part of none */
            chat_id: string | null;
            /**
             * Format: date-time
             * @description When it was made, ISO 8601 UTC
             */
            created_at: string;
        };
        OpenQuestion: {
            /** @description Id of the question, sent back with the answer */
            interrupt_id: string;
            /** @description Id of the node in the definition */
            node_id: string;
        };
        RunStarted: {
            /**
             * @description The run is under way
             * @constant
             */
            status: "running";
            /**
             * Format: uuid
             * @description The run that is listened to and cancelled; each answer to a question begins a new one
             */
            run_id: string;
            /** @description The conversation that the run is part of; null: none, as of an ephemeral run */
            thread_id: string | null;
            /** @description Id of the chat that the run is part of; null when it is part of none */
            chat_id: string | null;
            /** @description Whether the run stands in no history and on no thread */
            ephemeral: boolean;
            /** @description What the caller said of following the events */
            stream: boolean;
            /** @description Name of the workflow when the run began */
            workflow_name: string;
            /** @description Version of the deployment, or what an inline definition says of itself */
            workflow_version: string;
            /** @description `database`, `request`, or `system:` and a name */
            workflow_source: string;
            /** @description How long the request took, in milliseconds */
            elapsed_ms: number;
            /** @description What the person said: the message or the text of the input, else the input as JSON */
            human_message: components["schemas"]["RunMessage"];
            /** @description The answer that the run shall give; it is empty until then */
            ai_message: components["schemas"]["RunMessage"];
            /** @description What has happened, for people */
            message: string;
            /** @description Unknown fields of the body, which were ignored, and numbers that were kept as text to preserve their digits */
            warnings?: components["schemas"]["BodyWarning"][];
        };
        RunBatchStarted: {
            /** @description One receipt for each input, in their order */
            runs: components["schemas"]["BatchReceipt"][];
            /** @description Number of runs that were started */
            accepted: number;
            /** @description Number of inputs that the plan refused */
            refused: number;
            /** @description Unknown fields of the body, which were ignored, and numbers that were kept as text to preserve their digits */
            warnings?: components["schemas"]["BodyWarning"][];
        };
        BatchReceipt: {
            /**
             * @description Whether the run was started
             * @enum {string}
             */
            status: "running" | "refused";
            /** @description The run that is listened to and cancelled; each answer to a question begins a new one */
            run_id: string | null;
            /** @description The conversation that the run is part of; null: none, as of an ephemeral run */
            thread_id: string | null;
            /** @description Why it failed; null when it did not */
            error: components["schemas"]["StartRefusal"];
        };
        StartRefusal: {
            /** @description A stable word for programs */
            code: string;
            /** @description What has happened, for people */
            message: string;
        } | null;
        RunResumed: {
            /**
             * @description The run is under way
             * @constant
             */
            status: "running";
            /**
             * Format: uuid
             * @description The run that is listened to and cancelled; each answer to a question begins a new one
             */
            run_id: string;
            /** @description The conversation that the run is part of; null: none, as of an ephemeral run */
            thread_id: string | null;
            /** @description Id of the chat that the run is part of; null when it is part of none */
            chat_id: string | null;
            /** @description Whether the run stands in no history and on no thread */
            ephemeral: boolean;
            /** @description What the caller said of following the events */
            stream: boolean;
            /** @description Name of the workflow when the run began */
            workflow_name: string;
            /** @description Version of the deployment, or what an inline definition says of itself */
            workflow_version: string;
            /** @description `database`, `request`, or `system:` and a name */
            workflow_source: string;
            /** @description How long the request took, in milliseconds */
            elapsed_ms: number;
            /** @description What the person said: the message or the text of the input, else the input as JSON */
            human_message: components["schemas"]["RunMessage"];
            /** @description The answer that the run shall give; it is empty until then */
            ai_message: components["schemas"]["RunMessage"];
            /** @description What has happened, for people */
            message: string;
            /** @description Unknown fields of the body, which were ignored, and numbers that were kept as text to preserve their digits */
            warnings?: components["schemas"]["BodyWarning"][];
            /**
             * Format: uuid
             * @description The `run_id` of the part before the answer that this one goes on from; null: none
             */
            resumed_from_run_id: string;
            /** @description Ids of the questions that were answered */
            interrupt_ids: string[];
        };
        RunCancelled: {
            /** @description Whether it was done */
            success: boolean;
            /**
             * Format: uuid
             * @description The run that is listened to and cancelled; each answer to a question begins a new one
             */
            run_id: string;
            /**
             * @description Where the run stands now
             * @enum {string}
             */
            status: "running" | "interrupted" | "completed" | "failed" | "cancelled";
            /**
             * @description Where the run stood before
             * @enum {string}
             */
            previous_status: "running" | "interrupted" | "completed" | "failed" | "cancelled";
            /** @description Whether the run had ended before */
            already_terminal: boolean;
            /** @description What has happened, for people */
            message: string;
        };
        RunList: {
            /** @description The runs of this page, newest first */
            runs: components["schemas"]["RunListItem"][];
            /** @description Whether there is another page, at `offset` + `limit` */
            has_more: boolean;
            /** @description How many a page has at most */
            limit: number;
            /** @description How many were passed over before this page */
            offset: number;
        };
        RunListItem: {
            /**
             * Format: uuid
             * @description The key of the history: `run_pk` in paths
             */
            id: string;
            /**
             * Format: uuid
             * @description The run that is listened to and cancelled; each answer to a question begins a new one
             */
            run_id: string;
            /** @description Id of the workflow; null when there is none, as of a run of an inline definition */
            workflow_id: string | null;
            /** @description Id of the deployment; null of a run without one */
            deployment_id: string | null;
            /** @description How it was started: `api`, `schedule`, `chat`, or `workflow` by a node of another run */
            trigger_type: string;
            /** @description Whether it runs a definition of the request, without a deployment */
            is_ad_hoc: boolean;
            /**
             * @description Where it stands; `interrupted`: it waits for an answer, or has been answered
             * @enum {string}
             */
            status: "running" | "interrupted" | "succeeded" | "failed" | "cancelled";
            /**
             * Format: date-time
             * @description When the work began, ISO 8601 UTC
             */
            started_at: string;
            /** @description When it ended, ISO 8601 UTC; null until then */
            completed_at: string | null;
            /** @description How long it took, in seconds; null until it has ended */
            duration_seconds: number | null;
            /** @description Why it failed, for people; null when it did not */
            error_message: string | null;
            /** @description The beginning of the output as text; null without one */
            output_summary: string | null;
            /** @description Whether there is an output to read in the record */
            has_output: boolean;
            /** @description A question of this run still waits for its answer */
            has_open_interrupts: boolean;
            /**
             * Format: date-time
             * @description When it was made, ISO 8601 UTC
             */
            created_at: string;
            /** @description Name of the workflow when the run began */
            workflow_name: string;
            /** @description Id of the user who made it; null when no user did, or when that user is gone */
            created_by: string | null;
            /** @description The node whose failure ended the run, or whose question it waits for */
            stopped_at: {
                /** @description Id of the node in the definition */
                node_id: string;
                /** @description Name of the node; its id when it has none */
                node_name: string;
            } | null;
            /** @description Credits of all segments of the run and of its sub-workflows */
            credits: number;
            /** @description The segments that this one continues, the first one first */
            earlier_segments: {
                /**
                 * Format: uuid
                 * @description Its id, given by the service
                 */
                id: string;
                /**
                 * Format: uuid
                 * @description The run that is listened to and cancelled; each answer to a question begins a new one
                 */
                run_id: string;
                /**
                 * @description Where it stands
                 * @enum {string}
                 */
                status: "running" | "interrupted" | "succeeded" | "failed" | "cancelled";
                /** @description When the work began, ISO 8601 UTC */
                started_at: string | null;
                /** @description When it ended, ISO 8601 UTC; null until then */
                completed_at: string | null;
            }[];
        };
        InterruptList: {
            /** @description The questions */
            interrupts: components["schemas"]["WaitingInterrupt"][];
            /** @description Whether there is another page, at `offset` + `limit` */
            has_more: boolean;
            /** @description How many a page has at most */
            limit: number;
            /** @description How many were passed over before this page */
            offset: number;
        };
        WaitingInterrupt: {
            /** @description Id of the question, sent back with the answer */
            interrupt_id: string;
            /**
             * @description `tool_approval`: an agent asks about one of its tool calls
             * @enum {string}
             */
            kind: "approval" | "input" | "tool_approval";
            /** @description The question in a line */
            title: string;
            /** @description More about the question */
            message: string;
            /** @description What whoever answers shall see; null: nothing */
            payload: components["schemas"]["Json"];
            /** @description JSON Schema of the answer's data */
            form: components["schemas"]["JsonObject"] | null;
            /** @description What may be answered; empty: the data alone */
            actions: components["schemas"]["InterruptAction"][];
            /** @description Who may answer */
            assignees: components["schemas"]["InterruptAssignees"];
            /** @description Until when an answer is taken, ISO 8601 UTC; null: for ever */
            expires_at: string | null;
            /**
             * Format: uuid
             * @description The run that is listened to and cancelled; each answer to a question begins a new one
             */
            run_id: string;
            /** @description Id of the node in the definition */
            node_id: string;
            /**
             * Format: uuid
             * @description Id of the step: one execution of a node
             */
            step_id: string;
            /**
             * @description `pending` waits for its answer; `superseded`: a newer run on the thread has taken its place
             * @enum {string}
             */
            status: "pending" | "claimed" | "consumed" | "expired" | "cancelled" | "superseded";
            /** @description The answer; null before */
            response: components["schemas"]["JsonObject"] | null;
            /** @description Id of the user who answered; null before, and when nobody did */
            responded_by: string | null;
            /** @description When it was answered, ISO 8601 UTC; null before */
            responded_at: string | null;
            /** @description The `run_id` of the part of the run that goes on from the answer; null before */
            resumed_by_run_id: string | null;
            /**
             * Format: date-time
             * @description When it was made, ISO 8601 UTC
             */
            created_at: string;
            /** @description Id of the workflow; null when there is none, as of a run of an inline definition */
            workflow_id: string | null;
            /** @description Name of the workflow when the run began */
            workflow_name: string;
        };
        Run: {
            /**
             * Format: uuid
             * @description The key of the history: `run_pk` in paths
             */
            id: string;
            /**
             * Format: uuid
             * @description The run that is listened to and cancelled; each answer to a question begins a new one
             */
            run_id: string;
            /** @description Id of the workflow; null when there is none, as of a run of an inline definition */
            workflow_id: string | null;
            /** @description Id of the deployment; null of a run without one */
            deployment_id: string | null;
            /** @description How it was started: `api`, `schedule`, `chat`, or `workflow` by a node of another run */
            trigger_type: string;
            /** @description Whether it runs a definition of the request, without a deployment */
            is_ad_hoc: boolean;
            /**
             * @description Where it stands; `interrupted`: it waits for an answer, or has been answered
             * @enum {string}
             */
            status: "running" | "interrupted" | "succeeded" | "failed" | "cancelled";
            /**
             * Format: date-time
             * @description When the work began, ISO 8601 UTC
             */
            started_at: string;
            /** @description When it ended, ISO 8601 UTC; null until then */
            completed_at: string | null;
            /** @description How long it took, in seconds; null until it has ended */
            duration_seconds: number | null;
            /** @description Why it failed, for people; null when it did not */
            error_message: string | null;
            /** @description The beginning of the output as text; null without one */
            output_summary: string | null;
            /** @description Whether there is an output to read in the record */
            has_output: boolean;
            /** @description A question of this run still waits for its answer */
            has_open_interrupts: boolean;
            /**
             * Format: date-time
             * @description When it was made, ISO 8601 UTC
             */
            created_at: string;
            /** @description The conversation that the run is part of; null: none, as of an ephemeral run */
            thread_id: string | null;
            /** @description Id of the chat that the run is part of; null when it is part of none */
            chat_id: string | null;
            /** @description Name of the workflow when the run began */
            workflow_name: string;
            /** @description Version of the deployment, or what an inline definition says of itself */
            workflow_version: string;
            /** @description `database`, `request`, or `system:` and a name */
            workflow_source: string;
            /** @description Version of the deployment that it ran; null: of none */
            deployment_version: string | null;
            /** @description Whether only its creator and owners see the run */
            is_private: boolean;
            /** @description Id of the user who made it; null when no user did, or when that user is gone */
            created_by: string | null;
            /** @description The input that the run began with */
            input: components["schemas"]["Json"];
            /** @description What came out; null when there is nothing, or when it is too large to be shown */
            output: components["schemas"]["Json"];
            /** @description Declared fields, and the newest output of each node by its id */
            state: {
                [key: string]: components["schemas"]["Json"];
            };
            /** @description Why it failed; null when it did not */
            error: components["schemas"]["Failure"] | null;
            /** @description Tokens that were used; null when no model was called */
            usage: components["schemas"]["TokenUsage"] | null;
            /** @description How many failures of nodes were handled by the definition */
            handled_error_count: number;
            /** @description Why it was cancelled; null when nobody said, or it was not */
            cancel_reason: string | null;
            /** @description What the run was charged */
            credits: components["schemas"]["RunCredits"];
            /** @description One for each execution of a node, in their order */
            steps: components["schemas"]["RunStep"][];
            /** @description The questions */
            interrupts: components["schemas"]["Interrupt"][];
            /** @description Runs of sub-workflows below this one, at any depth, that wait for an answer while this one waits for them */
            waits_for: components["schemas"]["ChildWait"][];
            /** @description The `run_id` of the part before the answer that this one goes on from; null: none */
            resumed_from_run_id: string | null;
            /** @description The `run_id` of each part that goes on from this one */
            resumed_by_run_ids: string[];
            /** @description The `run_id` of the run that this one runs again */
            rerun_of: string | null;
            /** @description The `id`, in the history, of the run that this one runs again; null: none */
            rerun_of_run_pk: string | null;
            /** @description The `run_id` of the run whose node started this one; null: none */
            parent_run_id: string | null;
            /** @description A value of a step is too large to be listed: read the step */
            truncated: boolean;
        };
        RunCredits: {
            /** @description Credits in all, sub-workflows included */
            charged: number;
            /** @description What was used, by step and model */
            items: components["schemas"]["RunCharge"][];
        };
        RunCharge: {
            /** @description The step that used it */
            step_id: string;
            /** @description What used it: the type of the node */
            kind: string;
            /** @description Name of the model, as its provider calls it */
            model: string;
            /** @description Whether it was on the organization's own account, which costs no credits */
            byok: boolean;
            /** @description Credits that it was charged; 100 are one currency unit */
            credits: number;
        };
        RunStep: {
            /**
             * Format: uuid
             * @description Id of the step: one execution of a node
             */
            step_id: string;
            /** @description Id of the node in the definition */
            node_id: string;
            /** @description Type of the node, such as `llm` */
            node_type: string;
            /** @description Name of the node; its id when it has none */
            node_name: string;
            /** @description `running`, `succeeded`, `failed`, `skipped`, `cancelled`, `interrupted`, or `reused` from another run */
            status: string;
            /** @description How many nodes its path has passed, itself included */
            depth: number;
            /** @description Which visit of the node this is, from 1: loops come back */
            visit: number;
            /** @description Of an item: the step of the mapped node; of a tool call: that of its agent; null or missing otherwise */
            parent_step_id: string | null;
            /** @description Of an item: its position, from 0; null or missing otherwise */
            item_index: number | null;
            /** @description Iteration of the innermost loop around the node, from 0; null or missing outside of loops */
            iteration: number | null;
            /** @description What the node worked on, without secrets; null when it is too large to be listed */
            input: components["schemas"]["Json"];
            /** @description The input is too large to be listed: read the step */
            input_truncated: boolean;
            /** @description What came out; null when there is nothing, or when it is too large to be shown */
            output: components["schemas"]["Json"];
            /** @description The output is too large to be shown here: read the step, or the record */
            output_truncated: boolean;
            /** @description Why it failed; null when it did not */
            error: components["schemas"]["Failure"] | null;
            /** @description Whether the definition handled the failure, so that the run went on */
            error_handled: boolean;
            /** @description The handle whose edges were taken; null when none was */
            selected_handle: string | null;
            /** @description What is odd and did not stop it */
            warnings: components["schemas"]["StepWarning"][];
            /** @description Tokens that were used; null when no model was called */
            usage: components["schemas"]["TokenUsage"] | null;
            /** @description Credits that it was charged; 100 are one currency unit */
            credits: number;
            /** @description Which attempt, from 1 */
            attempt: number;
            /** @description Each attempt */
            attempts: components["schemas"]["StepAttempt"][];
            /** @description What the code of a function wrote to the console; null of other nodes */
            logs: string[] | null;
            /** @description What an agent has called, each a step of its own, too; null of other nodes */
            tool_calls: components["schemas"]["StepToolCall"][] | null;
            /** @description The `run_id` of the run that the step started; null: none */
            child_run_id: string | null;
            /** @description The step of an earlier run that a reused step takes its values from */
            reused_from_step_id: string | null;
            /** @description When the work began, ISO 8601 UTC; null before */
            started_at: string | null;
            /** @description When it ended, ISO 8601 UTC; null until then */
            completed_at: string | null;
            /** @description How long it took, in milliseconds; null until it has ended */
            duration_ms: number | null;
        };
        StepAttempt: {
            /** @description Which attempt, from 1 */
            attempt: number;
            /**
             * @description How it went; `lost`: its worker was lost
             * @enum {string}
             */
            status: "running" | "succeeded" | "failed" | "cancelled" | "lost";
            /**
             * Format: date-time
             * @description When the work began, ISO 8601 UTC
             */
            started_at: string;
            /** @description When it ended, ISO 8601 UTC; null until then */
            completed_at: string | null;
            /** @description How long it took, in milliseconds; null until it has ended */
            duration_ms: number | null;
            /** @description Why it failed; null when it did not */
            error: components["schemas"]["Failure"] | null;
        };
        StepToolCall: {
            /** @description Id of the call, given by the model */
            id: string;
            /** @description Name of the tool */
            name: string;
            /** @description What the model called it with */
            arguments: components["schemas"]["Json"];
            /** @description What the tool answered; null when it failed or has not ended */
            result: components["schemas"]["Json"];
            /** @description Why it failed; null when it did not */
            error: components["schemas"]["Failure"] | null;
            /** @description How long it took, in milliseconds; null until it has ended */
            duration_ms: number | null;
        };
        Interrupt: {
            /** @description Id of the question, sent back with the answer */
            interrupt_id: string;
            /**
             * @description `tool_approval`: an agent asks about one of its tool calls
             * @enum {string}
             */
            kind: "approval" | "input" | "tool_approval";
            /** @description The question in a line */
            title: string;
            /** @description More about the question */
            message: string;
            /** @description What whoever answers shall see; null: nothing */
            payload: components["schemas"]["Json"];
            /** @description JSON Schema of the answer's data */
            form: components["schemas"]["JsonObject"] | null;
            /** @description What may be answered; empty: the data alone */
            actions: components["schemas"]["InterruptAction"][];
            /** @description Who may answer */
            assignees: components["schemas"]["InterruptAssignees"];
            /** @description Until when an answer is taken, ISO 8601 UTC; null: for ever */
            expires_at: string | null;
            /**
             * Format: uuid
             * @description The run that is listened to and cancelled; each answer to a question begins a new one
             */
            run_id: string;
            /** @description Id of the node in the definition */
            node_id: string;
            /**
             * Format: uuid
             * @description Id of the step: one execution of a node
             */
            step_id: string;
            /**
             * @description `pending` waits for its answer; `superseded`: a newer run on the thread has taken its place
             * @enum {string}
             */
            status: "pending" | "claimed" | "consumed" | "expired" | "cancelled" | "superseded";
            /** @description The answer; null before */
            response: components["schemas"]["JsonObject"] | null;
            /** @description Id of the user who answered; null before, and when nobody did */
            responded_by: string | null;
            /** @description When it was answered, ISO 8601 UTC; null before */
            responded_at: string | null;
            /** @description The `run_id` of the part of the run that goes on from the answer; null before */
            resumed_by_run_id: string | null;
            /**
             * Format: date-time
             * @description When it was made, ISO 8601 UTC
             */
            created_at: string;
        };
        ChildWait: {
            /**
             * Format: uuid
             * @description The step of this run that waits
             */
            step_id: string;
            /** @description The node of this run that waits */
            node_id: string;
            /**
             * Format: uuid
             * @description The run that asks: an answer names it
             */
            run_id: string;
            /**
             * Format: uuid
             * @description The run that asks, in the history
             */
            run_pk: string;
            /** @description Name of the workflow when the run began */
            workflow_name: string;
            /** @description The questions */
            interrupts: components["schemas"]["ChildInterrupt"][];
        };
        ChildInterrupt: {
            /** @description Id of the question, sent back with the answer */
            interrupt_id: string;
            /** @description The node that asks */
            node_id: string;
            /**
             * @description `tool_approval`: an agent asks about one of its tool calls
             * @enum {string}
             */
            kind: "approval" | "input" | "tool_approval";
            /** @description The question in a line */
            title: string;
            /** @description Who may answer */
            assignees: components["schemas"]["InterruptAssignees"];
            /** @description Until when an answer is taken, ISO 8601 UTC; null: for ever */
            expires_at: string | null;
        };
        RunDefinition: {
            /**
             * Format: uuid
             * @description The run that is listened to and cancelled; each answer to a question begins a new one
             */
            run_id: string;
            /** @description SHA-256 of the definition as it is stored, in hex */
            definition_hash: string;
            /** @description Name of the workflow when the run began */
            workflow_name: string;
            /** @description Version of the deployment, or what an inline definition says of itself */
            workflow_version: string;
            /** @description `database`, `request`, or `system:` and a name */
            workflow_source: string;
            /** @description The definition as it was stored */
            definition: {
                [key: string]: components["schemas"]["Json"];
            } | components["schemas"]["WorkflowDefinition"] | components["schemas"]["WorkflowDraft"];
        };
        RunComparison: {
            /** @description The run of the path */
            a: components["schemas"]["ComparedRun"];
            /** @description The other run */
            b: components["schemas"]["ComparedRun"];
            /** @description Whether both walked the same definition */
            same_definition: boolean;
            /** @description Each node that either of them came to */
            nodes: components["schemas"]["ComparedNode"][];
        };
        ComparedRun: {
            /**
             * Format: uuid
             * @description The run in the history: `run_pk` in paths
             */
            run_pk: string;
            /**
             * Format: uuid
             * @description The run that is listened to and cancelled; each answer to a question begins a new one
             */
            run_id: string;
            /**
             * @description Where it stands
             * @enum {string}
             */
            status: "running" | "interrupted" | "succeeded" | "failed" | "cancelled";
            /** @description Id of the workflow; null when there is none, as of a run of an inline definition */
            workflow_id: string | null;
            /** @description Name of the workflow when the run began */
            workflow_name: string;
            /** @description Version of the deployment, or what an inline definition says of itself */
            workflow_version: string;
        };
        ComparedNode: {
            /** @description Id of the node in the definition */
            node_id: string;
            /** @description Name of the node; its id when it has none */
            node_name: string;
            /** @description Type of the node, such as `llm` */
            node_type: string;
            /** @description Its last visit; null when the run did not come to it */
            a: components["schemas"]["ComparedStep"] | null;
            /** @description Its last visit; null when the run did not come to it */
            b: components["schemas"]["ComparedStep"] | null;
            /** @description Whether the outputs differ */
            output_differs: boolean;
            /** @description JSON pointers into the outputs; null when these are too large to be compared */
            differences: string[] | null;
            /** @description Whether they led to other nodes */
            branch_differs: boolean;
        };
        ComparedStep: {
            /**
             * Format: uuid
             * @description Id of the step: one execution of a node
             */
            step_id: string;
            /** @description Where the step stands, as in the record of the run */
            status: string;
            /** @description How often the run came to the node */
            visits: number;
            /** @description How long it took, in milliseconds; null until it has ended */
            duration_ms: number | null;
            /** @description Credits that it was charged; 100 are one currency unit */
            credits: number;
            /** @description The handle whose edges were taken; null when none was */
            selected_handle: string | null;
            /** @description The nodes that it has led to, or `__end__`; null when it has not ended */
            took: string[] | null;
            /** @description Why it failed, as a stable word; null when it did not */
            error_code: string | null;
        };
        RerunReply: components["schemas"]["RerunStarted"] | components["schemas"]["RerunPlan"];
        RerunStarted: {
            /**
             * @description The run is under way
             * @constant
             */
            status: "running";
            /**
             * Format: uuid
             * @description The run that is listened to and cancelled; each answer to a question begins a new one
             */
            run_id: string;
            /** @description The conversation that the run is part of; null: none, as of an ephemeral run */
            thread_id: string | null;
            /** @description Id of the chat that the run is part of; null when it is part of none */
            chat_id: string | null;
            /** @description Whether the run stands in no history and on no thread */
            ephemeral: boolean;
            /** @description What the caller said of following the events */
            stream: boolean;
            /** @description Name of the workflow when the run began */
            workflow_name: string;
            /** @description Version of the deployment, or what an inline definition says of itself */
            workflow_version: string;
            /** @description `database`, `request`, or `system:` and a name */
            workflow_source: string;
            /** @description How long the request took, in milliseconds */
            elapsed_ms: number;
            /** @description What the person said: the message or the text of the input, else the input as JSON */
            human_message: components["schemas"]["RunMessage"];
            /** @description The answer that the run shall give; it is empty until then */
            ai_message: components["schemas"]["RunMessage"];
            /** @description What has happened, for people */
            message: string;
            /** @description Unknown fields of the body, which were ignored, and numbers that were kept as text to preserve their digits */
            warnings?: components["schemas"]["BodyWarning"][];
            /**
             * Format: uuid
             * @description The `run_id` of the run that this one runs again; null: none
             */
            rerun_of: string;
        };
        RerunPlan: {
            /**
             * @description Nothing was started
             * @constant
             */
            dry_run: true;
            /**
             * Format: uuid
             * @description The `run_id` of the run that this one runs again; null: none
             */
            rerun_of: string;
            /** @description Name of the workflow when the run began */
            workflow_name: string;
            /** @description Version of the deployment, or what an inline definition says of itself */
            workflow_version: string;
            /** @description `database`, `request`, or `system:` and a name */
            workflow_source: string;
            /** @description How many nodes fare how */
            counts: components["schemas"]["RerunCounts"];
            /** @description What happens to each node */
            nodes: components["schemas"]["RerunPlanNode"][];
        };
        RerunCounts: {
            /** @description How many nodes are reused */
            reuse: number;
            /** @description How many nodes run */
            run: number;
            /** @description How many nodes are skipped */
            skip: number;
        };
        RerunPlanNode: {
            /** @description Id of the node in the definition */
            node_id: string;
            /** @description Name of the node; its id when it has none */
            node_name: string;
            /** @description Type of the node, such as `llm` */
            node_type: string;
            /**
             * @description What a repetition of the node may do to the world
             * @enum {string}
             */
            effect: "pure" | "idempotent" | "at_least_once" | "at_most_once";
            /**
             * @description What happens to the node
             * @enum {string}
             */
            action: "reuse" | "run" | "skip";
            /**
             * @description Why: the node, or what it depends on
             * @enum {string}
             */
            reason: "completed" | "override" | "chosen" | "downstream" | "changed" | "not_completed" | "branch";
            /** @description How many visits of the node are reused */
            visits_reused: number;
            /** @description Tools of an agent, and nodes of a sub-workflow, that had an effect in the run before and would have it again */
            repeats: string[];
        };
        Deployment: {
            /**
             * Format: uuid
             * @description Its id, given by the service
             */
            id: string;
            /** @description Name of the workflow when it was deployed */
            name: string;
            /** @description Version of the snapshot; each deploy raises the major number: 1.0.0, 2.0.0 */
            version: string;
            /** @description What whoever deployed said about it; null: nothing */
            deployment_note: string | null;
            /** @description Address of a picture of the canvas, never fetched by the service; null: none */
            schema_image_url: string | null;
            /** @description Id of the user who deployed it; stays when that user is gone */
            deployed_by: string | null;
            /** @description Whether runs of the workflow use it; at most one is live */
            is_live: boolean;
            /**
             * Format: date-time
             * @description When it was made, ISO 8601 UTC
             */
            created_at: string;
            /**
             * Format: uuid
             * @description Id of the workflow; null when there is none, as of a run of an inline definition
             */
            workflow_id: string;
            /** @description In a few words, for people; null or empty when there are none */
            description: string | null;
        };
        DeploymentList: {
            /** @description The deployments of this page, newest first */
            deployments: components["schemas"]["DeploymentListItem"][];
            /** @description How many there are in all */
            total: number;
            /** @description Whether there is another page, at `offset` + `limit` */
            has_more: boolean;
            /** @description How many a page has at most */
            limit: number;
            /** @description How many were passed over before this page */
            offset: number;
        };
        DeploymentListItem: {
            /**
             * Format: uuid
             * @description Its id, given by the service
             */
            id: string;
            /** @description Name of the workflow when it was deployed */
            name: string;
            /** @description Version of the snapshot; each deploy raises the major number: 1.0.0, 2.0.0 */
            version: string;
            /** @description What whoever deployed said about it; null: nothing */
            deployment_note: string | null;
            /** @description Address of a picture of the canvas, never fetched by the service; null: none */
            schema_image_url: string | null;
            /** @description Id of the user who deployed it; stays when that user is gone */
            deployed_by: string | null;
            /** @description Whether runs of the workflow use it; at most one is live */
            is_live: boolean;
            /**
             * Format: date-time
             * @description When it was made, ISO 8601 UTC
             */
            created_at: string;
        };
        DeploymentDeactivated: {
            /**
             * @description Whether it was done
             * @constant
             */
            success: true;
            /** @description What has happened, for people */
            message: string;
            /**
             * Format: uuid
             * @description The deployment that was live before; missing when none was, or nothing changed
             */
            previous_live_deployment_id?: string;
        };
        DeploymentDetail: {
            /**
             * Format: uuid
             * @description Its id, given by the service
             */
            id: string;
            /** @description Name of the workflow when it was deployed */
            name: string;
            /** @description Version of the snapshot; each deploy raises the major number: 1.0.0, 2.0.0 */
            version: string;
            /** @description What whoever deployed said about it; null: nothing */
            deployment_note: string | null;
            /** @description Address of a picture of the canvas, never fetched by the service; null: none */
            schema_image_url: string | null;
            /** @description Id of the user who deployed it; stays when that user is gone */
            deployed_by: string | null;
            /** @description Whether runs of the workflow use it; at most one is live */
            is_live: boolean;
            /**
             * Format: date-time
             * @description When it was made, ISO 8601 UTC
             */
            created_at: string;
            /**
             * Format: uuid
             * @description Id of the workflow; null when there is none, as of a run of an inline definition
             */
            workflow_id: string;
            /** @description In a few words, for people; null or empty when there are none */
            description: string | null;
            /** @description The definition: the graph of nodes and edges */
            workflow_schema: {
                [key: string]: components["schemas"]["Json"];
            } | components["schemas"]["WorkflowDefinition"] | components["schemas"]["WorkflowDraft"];
            /** @description Default input of runs, as it was when it was deployed */
            input: components["schemas"]["JsonObject"];
            /** @description Default settings of runs, as they were when it was deployed */
            config: components["schemas"]["JsonObject"];
        };
        DeploymentDeleted: {
            /**
             * @description Whether it was done
             * @constant
             */
            success: true;
            /** @description What has happened, for people */
            message: string;
            /**
             * Format: uuid
             * @description The deployment that was deleted
             */
            deleted_deployment_id: string;
            /** @description Whether the deleted deployment was the live one */
            was_live: boolean;
            /**
             * Format: uuid
             * @description The deployment that is live in its place; missing when there is none
             */
            new_live_deployment_id?: string;
        };
        DeploymentActivated: {
            /**
             * @description Whether it was done
             * @constant
             */
            success: true;
            /** @description What has happened, for people */
            message: string;
            /**
             * Format: uuid
             * @description The deployment that is live now
             */
            deployment_id: string;
            /**
             * Format: uuid
             * @description The deployment that was live before; missing when none was, or nothing changed
             */
            previous_live_deployment_id?: string;
        };
        OrganizationList: components["schemas"]["Organization"][];
        Organization: {
            /**
             * Format: uuid
             * @description Its id, given by the service
             */
            id: string;
            /** @description What people call it */
            name: string;
            /** @description Unique name for URLs */
            slug: string;
            /** @description A label, which nobody has proved to own; empty: none */
            domain: string;
            /** @description Whether it may be used */
            is_active: boolean;
            /**
             * Format: date-time
             * @description When it was made, ISO 8601 UTC
             */
            created_at: string;
        };
        OrganizationDetail: {
            /**
             * Format: uuid
             * @description Its id, given by the service
             */
            id: string;
            /** @description What people call it */
            name: string;
            /** @description Unique name for URLs */
            slug: string;
            /** @description A label, which nobody has proved to own; empty: none */
            domain: string;
            /** @description Whether it may be used */
            is_active: boolean;
            /**
             * Format: date-time
             * @description When it was made, ISO 8601 UTC
             */
            created_at: string;
            /** @description Id of the customer at Stripe; null: none */
            stripe_customer_id: string | null;
            /** @description Free-form settings of the organization */
            settings: components["schemas"]["JsonObject"];
            /** @description Whether there was ever a trial; never cleared once set */
            has_ever_trialed: boolean;
            /** @description Unknown fields of the body, which were ignored, and numbers that were kept as text to preserve their digits */
            warnings?: components["schemas"]["BodyWarning"][];
        };
        MemberList: {
            /** @description The members of the organization */
            members: components["schemas"]["Member"][];
            /** @description How many there are in all */
            total: number;
        };
        Member: {
            /**
             * Format: uuid
             * @description Id of the user
             */
            user_id: string;
            /**
             * Format: uuid
             * @description Id of the organization that it belongs to
             */
            organization_id: string;
            /** @description Email address of the person */
            email: string;
            /** @description `owner` or `admin`; the retired `member` carries no rights */
            role: string;
            /** @description Whether the user may use the service at all */
            is_active: boolean;
            /**
             * Format: date-time
             * @description When the membership began, ISO 8601 UTC
             */
            created_at: string;
        };
        Success: {
            /**
             * @description Whether it was done
             * @constant
             */
            success: true;
            /** @description What was done, for people */
            message: string;
        };
        Invitation: {
            /**
             * Format: uuid
             * @description Its id, given by the service
             */
            id: string;
            /**
             * Format: uuid
             * @description Id of the organization that it belongs to
             */
            organization_id: string;
            /** @description Name of the organization */
            organization_name: string;
            /** @description Email address of the person */
            email: string;
            /** @description The role that the person shall have */
            role: string;
            /**
             * @description Whether the person has joined
             * @enum {string}
             */
            status: "pending" | "accepted";
            /**
             * Format: date-time
             * @description When it was made, ISO 8601 UTC
             */
            created_at: string;
        };
        InvitationList: {
            /** @description The invitations */
            invitations: components["schemas"]["Invitation"][];
        };
        Credential: {
            /**
             * Format: uuid
             * @description Its id: how nodes and knowledge bases refer to it
             */
            credential_id: string;
            /**
             * Format: uuid
             * @description Id of the organization that it belongs to
             */
            organization_id: string;
            /** @description What people call it */
            name: string;
            /** @description Name of the integration in the catalog */
            integration: string;
            /** @description Which of the integration's ways to authenticate it is */
            auth_type: string;
            /**
             * @description Everybody of the organization uses it
             * @constant
             */
            scope: "organization";
            /**
             * @description Whether it can be used
             * @enum {string}
             */
            status: "active" | "expired" | "error" | "revoked";
            /** @description Why it cannot be used; null when it can */
            status_message: string | null;
            /** @description Of secrets at most the last four characters */
            masked: {
                [key: string]: string;
            };
            /** @description What the provider is asked to allow, or has allowed */
            scopes: string[];
            /** @description Where its secret may be sent: host:port, or host alone for https; null: to the host of the account */
            allowed_hosts: string[];
            /** @description From when on it is no longer valid, ISO 8601 UTC; null: it never expires */
            expires_at: string | null;
            /** @description When it was used last, ISO 8601 UTC; null: never */
            last_used_at: string | null;
            /** @description When it was tested last, ISO 8601 UTC; null: never */
            last_tested_at: string | null;
            /** @description Id of the user who made it; null when no user did, or when that user is gone */
            created_by: string | null;
            /**
             * Format: date-time
             * @description When it was made, ISO 8601 UTC
             */
            created_at: string;
            /**
             * Format: date-time
             * @description When it was changed last, ISO 8601 UTC
             */
            updated_at: string;
            /** @description Unknown fields of the body, which were ignored, and numbers that were kept as text to preserve their digits */
            warnings?: components["schemas"]["BodyWarning"][];
        };
        CredentialList: {
            /** @description The credentials of the organization */
            credentials: components["schemas"]["Credential"][];
            /** @description How many there are in all */
            total: number;
        };
        Authorization: {
            /** @description Where the person allows the access; leads back to the web application */
            authorization_url: string;
            /** @description Ties the way back to this authorization; sent back as it is */
            state: string;
            /**
             * Format: date-time
             * @description Until when the way back is taken, ISO 8601 UTC
             */
            expires_at: string;
        };
        CredentialDetail: {
            /**
             * Format: uuid
             * @description Its id: how nodes and knowledge bases refer to it
             */
            credential_id: string;
            /**
             * Format: uuid
             * @description Id of the organization that it belongs to
             */
            organization_id: string;
            /** @description What people call it */
            name: string;
            /** @description Name of the integration in the catalog */
            integration: string;
            /** @description Which of the integration's ways to authenticate it is */
            auth_type: string;
            /**
             * @description Everybody of the organization uses it
             * @constant
             */
            scope: "organization";
            /**
             * @description Whether it can be used
             * @enum {string}
             */
            status: "active" | "expired" | "error" | "revoked";
            /** @description Why it cannot be used; null when it can */
            status_message: string | null;
            /** @description Of secrets at most the last four characters */
            masked: {
                [key: string]: string;
            };
            /** @description What the provider is asked to allow, or has allowed */
            scopes: string[];
            /** @description Where its secret may be sent: host:port, or host alone for https; null: to the host of the account */
            allowed_hosts: string[];
            /** @description From when on it is no longer valid, ISO 8601 UTC; null: it never expires */
            expires_at: string | null;
            /** @description When it was used last, ISO 8601 UTC; null: never */
            last_used_at: string | null;
            /** @description When it was tested last, ISO 8601 UTC; null: never */
            last_tested_at: string | null;
            /** @description Id of the user who made it; null when no user did, or when that user is gone */
            created_by: string | null;
            /**
             * Format: date-time
             * @description When it was made, ISO 8601 UTC
             */
            created_at: string;
            /**
             * Format: date-time
             * @description When it was changed last, ISO 8601 UTC
             */
            updated_at: string;
            /** @description What refers to it */
            in_use_by: components["schemas"]["CredentialUse"];
        };
        CredentialUse: {
            /** @description How many workflows have a node with it, in their draft or a deployment */
            workflows: number;
            /** @description How many knowledge bases are embedded with it */
            knowledge_bases: number;
        };
        CredentialTest: {
            /** @description Whether the account answered */
            success: boolean;
            /** @description What the account answered, for people */
            message: string;
            /**
             * @description Whether it can be used
             * @enum {string}
             */
            status: "active" | "expired" | "error" | "revoked";
        };
        CredentialToolList: {
            /** @description What the MCP server offers now */
            tools: components["schemas"]["CredentialTool"][];
            /** @description How many there are in all */
            total: number;
        };
        CredentialTool: {
            /** @description Its name, as nodes and agents call it */
            name: string;
            /** @description What the server says of it */
            description: string;
            /** @description JSON Schema of a call's arguments */
            input_schema: components["schemas"]["JsonObject"];
        };
        IntegrationList: {
            /** @description The integrations that match, in the order of the catalog */
            integrations: components["schemas"]["IntegrationSummary"][];
            /** @description How many there are in all */
            total: number;
        };
        IntegrationSummary: {
            /** @description Its name in definitions and credentials */
            name: string;
            /** @description Its name for people */
            display_name: string;
            /** @description In a few words, for people; null or empty when there are none */
            description: string;
            /** @description Version of the entry; a raised one only gains */
            version: string;
            /** @description What it is for, in a word */
            category: string;
            /** @description Address of the service's own documentation; null: none */
            docs_url: string | null;
            /** @description Words to find it by */
            tags: string[];
            /** @description Free-form facts beside the fields */
            extra_metadata: components["schemas"]["JsonObject"];
            /** @description The ways to authenticate */
            auth: components["schemas"]["IntegrationAuth"][];
            /** @description The organization has an active credential */
            connected: boolean;
            /** @description What it can do */
            actions: components["schemas"]["IntegrationActionSummary"][];
        };
        IntegrationAuth: {
            /** @description The word for it: the `auth_type` of credentials */
            type: string;
            /** @description Whether its actions need it */
            required: boolean;
            /** @description What the provider is asked to allow, or has allowed */
            scopes: string[];
            /** @description JSON Schema of the `data` of such credentials */
            schema: components["schemas"]["JsonObject"];
        };
        IntegrationActionSummary: {
            /** @description Its name in definitions */
            name: string;
            /** @description Its name for people */
            display_name: string;
            /** @description In a few words, for people; null or empty when there are none */
            description: string;
            /** @description Whether the action may be repeated without harm */
            idempotent: boolean;
            /** @description Whether the action needs a credential */
            requires_auth: boolean;
        };
        Integration: {
            /** @description Its name in definitions and credentials */
            name: string;
            /** @description Its name for people */
            display_name: string;
            /** @description In a few words, for people; null or empty when there are none */
            description: string;
            /** @description Version of the entry; a raised one only gains */
            version: string;
            /** @description What it is for, in a word */
            category: string;
            /** @description Address of the service's own documentation; null: none */
            docs_url: string | null;
            /** @description Words to find it by */
            tags: string[];
            /** @description Free-form facts beside the fields */
            extra_metadata: components["schemas"]["JsonObject"];
            /** @description The ways to authenticate */
            auth: components["schemas"]["IntegrationAuth"][];
            /** @description The organization has an active credential */
            connected: boolean;
            /** @description What it can do */
            actions: components["schemas"]["IntegrationAction"][];
        };
        IntegrationAction: {
            /** @description Its name in definitions */
            name: string;
            /** @description Its name for people */
            display_name: string;
            /** @description In a few words, for people; null or empty when there are none */
            description: string;
            /** @description Whether the action may be repeated without harm */
            idempotent: boolean;
            /** @description Whether the action needs a credential */
            requires_auth: boolean;
            /** @description JSON Schema of its parameters */
            input_schema: components["schemas"]["JsonObject"];
            /** @description JSON Schema of what it answers */
            output_schema: components["schemas"]["JsonObject"];
        };
        CreatedApiKey: {
            /**
             * Format: uuid
             * @description Its id, given by the service
             */
            id: string;
            /** @description What people call it */
            name: string;
            /** @description The first 8 characters of the random part */
            key_hint: string;
            /** @description The prefix, the hint and asterisks */
            masked_key: string;
            /** @description The only organization that the key is valid in; null: all of its owner's */
            organization_id: string | null;
            /** @description From when on it is no longer valid, ISO 8601 UTC; null: it never expires */
            expires_at: string | null;
            /** @description Whether `expires_at` is past */
            is_expired: boolean;
            /** @description False once it is revoked */
            is_active: boolean;
            /** @description How many requests it has in 60 seconds */
            rate_limit_per_minute: number;
            /** @description When it was used last, ISO 8601 UTC; null: never */
            last_used_at: string | null;
            /**
             * Format: date-time
             * @description When it was made, ISO 8601 UTC
             */
            created_at: string;
            /** @description When it was revoked for good, ISO 8601 UTC; null when it is not */
            revoked_at: string | null;
            /** @description The full key, in this answer only */
            key: string;
        };
        TooManyKeys: {
            /** @description What is wrong */
            detail: {
                /**
                 * @description A stable word for programs
                 * @constant
                 */
                code: "MAX_KEYS_EXCEEDED";
                /** @description What is wrong, for people */
                message: string;
            };
        };
        ApiKeyList: {
            /** @description The caller's keys, revoked ones included */
            api_keys: components["schemas"]["ApiKey"][];
            /** @description How many there are in all */
            total: number;
        };
        ApiKey: {
            /**
             * Format: uuid
             * @description Its id, given by the service
             */
            id: string;
            /** @description What people call it */
            name: string;
            /** @description The first 8 characters of the random part */
            key_hint: string;
            /** @description The prefix, the hint and asterisks */
            masked_key: string;
            /** @description The only organization that the key is valid in; null: all of its owner's */
            organization_id: string | null;
            /** @description From when on it is no longer valid, ISO 8601 UTC; null: it never expires */
            expires_at: string | null;
            /** @description Whether `expires_at` is past */
            is_expired: boolean;
            /** @description False once it is revoked */
            is_active: boolean;
            /** @description How many requests it has in 60 seconds */
            rate_limit_per_minute: number;
            /** @description When it was used last, ISO 8601 UTC; null: never */
            last_used_at: string | null;
            /**
             * Format: date-time
             * @description When it was made, ISO 8601 UTC
             */
            created_at: string;
            /** @description When it was revoked for good, ISO 8601 UTC; null when it is not */
            revoked_at: string | null;
        };
        Me: {
            /**
             * Format: uuid
             * @description Its id, given by the service
             */
            id: string;
            /** @description The identity provider's user id */
            subject: string;
            /** @description Email address of the person */
            email: string;
            /** @description Role of the user at the service, such as `USER`; says nothing about organizations */
            role: string;
            /** @description Whether it may be used */
            is_active: boolean;
            /**
             * Format: date-time
             * @description When it was made, ISO 8601 UTC
             */
            created_at: string;
        };
        MyOrganizationList: {
            /** @description The organizations that the user belongs to */
            organizations: components["schemas"]["MyOrganization"][];
        };
        MyOrganization: {
            /**
             * Format: uuid
             * @description Its id, given by the service
             */
            id: string;
            /**
             * Format: uuid
             * @description The same as `id`
             */
            organization_id: string;
            /** @description What people call it */
            name: string;
            /** @description Unique name for URLs */
            slug: string;
            /** @description A label, which nobody has proved to own; empty: none */
            domain: string;
            /** @description Role of the user in the organization */
            role: string;
            /** @description Whether it may be used */
            is_active: boolean;
            /**
             * Format: date-time
             * @description When it was made, ISO 8601 UTC
             */
            created_at: string;
        };
        ChatPage: {
            /** @description The rows of this page */
            items: components["schemas"]["Chat"][];
            /** @description What to send as `cursor` for the next page; null at the end */
            next_cursor: string | null;
        };
        Chat: {
            /**
             * Format: uuid
             * @description Its id, given by the service
             */
            id: string;
            /** @description The conversation: sent with the next message, the chat goes on */
            thread_id: string;
            /** @description What the chat is called */
            title: string;
            /**
             * @description Where its last run stands
             * @enum {string}
             */
            status: "idle" | "running" | "interrupted" | "error";
            /** @description The beginning of its last message; null without one */
            last_message_preview: string | null;
            /** @description How many messages it has */
            message_count: number;
            /** @description The workflow that the Composer works on in it; null: none */
            workflow_id: string | null;
            /** @description Whether the user has pinned it; the order of lists stays */
            pinned: boolean;
            /**
             * Format: date-time
             * @description When it was made, ISO 8601 UTC
             */
            created_at: string;
            /**
             * Format: date-time
             * @description When it was changed last, ISO 8601 UTC
             */
            updated_at: string;
            /** @description Unknown fields of the body, which were ignored, and numbers that were kept as text to preserve their digits */
            warnings?: components["schemas"]["BodyWarning"][];
        };
        ChatMessagePage: {
            /** @description The rows of this page */
            items: components["schemas"]["ChatMessage"][];
            /** @description What to send as `cursor` for the next page; null at the end */
            next_cursor: string | null;
        };
        ChatMessage: {
            /**
             * Format: uuid
             * @description Its id, given by the service
             */
            id: string;
            /**
             * @description Who says it
             * @enum {string}
             */
            role: "human" | "ai";
            /** @description The text */
            content: string;
            /**
             * @description Of an answer, how its run stands; what a person says is completed
             * @enum {string}
             */
            status: "completed" | "pending" | "interrupted" | "failed" | "cancelled";
            /**
             * Format: uuid
             * @description The run that is listened to and cancelled; each answer to a question begins a new one
             */
            run_id: string;
            /**
             * Format: uuid
             * @description Id of the chat that the run is part of; null when it is part of none
             */
            chat_id: string;
            /** @description Why it failed; null when it did not */
            error: components["schemas"]["ChatMessageError"] | null;
            /**
             * Format: date-time
             * @description When it was made, ISO 8601 UTC
             */
            created_at: string;
        };
        ChatMessageError: {
            /** @description A stable word for programs */
            code: string;
            /** @description What has happened, for people */
            message: string;
        };
        AssistantAnswer: {
            /**
             * @description The run is under way
             * @constant
             */
            status: "running";
            /**
             * Format: uuid
             * @description The run that is listened to and cancelled; each answer to a question begins a new one
             */
            run_id: string;
            /** @description The conversation that the run is part of; null: none, as of an ephemeral run */
            thread_id: string | null;
            /** @description Id of the chat that the run is part of; null when it is part of none */
            chat_id: string | null;
            /** @description Whether the run stands in no history and on no thread */
            ephemeral: boolean;
            /** @description What the caller said of following the events */
            stream: boolean;
            /** @description Name of the workflow when the run began */
            workflow_name: string;
            /** @description Version of the deployment, or what an inline definition says of itself */
            workflow_version: string;
            /** @description `database`, `request`, or `system:` and a name */
            workflow_source: string;
            /** @description How long the request took, in milliseconds */
            elapsed_ms: number;
            /** @description What the person said: the message or the text of the input, else the input as JSON */
            human_message: components["schemas"]["RunMessage"];
            /** @description The answer that the run shall give; it is empty until then */
            ai_message: components["schemas"]["RunMessage"];
            /** @description What has happened, for people */
            message: string;
            /** @description Unknown fields of the body, which were ignored, and numbers that were kept as text to preserve their digits */
            warnings?: components["schemas"]["BodyWarning"][];
            /** @description Path of the event stream of the run */
            stream_url: string;
        };
        ComposerAnswer: {
            /**
             * @description The run is under way
             * @constant
             */
            status: "running";
            /**
             * Format: uuid
             * @description The run that is listened to and cancelled; each answer to a question begins a new one
             */
            run_id: string;
            /** @description The conversation that the run is part of; null: none, as of an ephemeral run */
            thread_id: string | null;
            /** @description Id of the chat that the run is part of; null when it is part of none */
            chat_id: string | null;
            /** @description Whether the run stands in no history and on no thread */
            ephemeral: boolean;
            /** @description What the caller said of following the events */
            stream: boolean;
            /** @description Name of the workflow when the run began */
            workflow_name: string;
            /** @description Version of the deployment, or what an inline definition says of itself */
            workflow_version: string;
            /** @description `database`, `request`, or `system:` and a name */
            workflow_source: string;
            /** @description How long the request took, in milliseconds */
            elapsed_ms: number;
            /** @description What the person said: the message or the text of the input, else the input as JSON */
            human_message: components["schemas"]["RunMessage"];
            /** @description The answer that the run shall give; it is empty until then */
            ai_message: components["schemas"]["RunMessage"];
            /** @description What has happened, for people */
            message: string;
            /** @description Unknown fields of the body, which were ignored, and numbers that were kept as text to preserve their digits */
            warnings?: components["schemas"]["BodyWarning"][];
            /** @description Path of the event stream of the run */
            stream_url: string;
            /** @description The workflow that is worked on; null: a new one is made */
            workflow_id: string | null;
            /** @description Its `edit_version` before; null when it is new */
            edit_version: number | null;
        };
        Subscription: {
            /**
             * Format: uuid
             * @description Id of the organization that it belongs to
             */
            organization_id: string;
            /** @description Name of the plan, such as `pro` */
            plan: string;
            /** @description Whether the operator has suspended the subscription */
            is_suspended: boolean;
            /**
             * Format: date-time
             * @description Beginning of the month that counts, ISO 8601 UTC
             */
            period_start: string;
            /**
             * Format: date-time
             * @description End of the month that counts, ISO 8601 UTC
             */
            period_end: string;
            /** @description Credits of the month; 100 are one currency unit */
            credits: components["schemas"]["Credits"];
            /** @description What pays when the month is used up */
            wallet: components["schemas"]["Wallet"];
            /** @description What the plan allows */
            entitlements: components["schemas"]["Entitlements"];
        };
        Credits: {
            /** @description Credits that were used this month */
            used: number;
            /** @description Credits that are set aside for what is under way */
            reserved: number;
            /** @description Credits of the month; null: unlimited */
            limit: number | null;
            /** @description Credits that are left this month; null: unlimited */
            remaining: number | null;
        };
        Wallet: {
            /** @description Credits in the wallet */
            balance: number;
            /** @description Whether the wallet pays */
            extra_usage_enabled: boolean;
        };
        Entitlements: {
            /** @description Runs in 60 seconds; null: unlimited, 0: none */
            sync_exec: number | null;
            /** @description Requests in 60 seconds; null: unlimited, 0: none */
            api: number | null;
            /** @description Knowledge bases; null: unlimited, 0: none */
            knowledge_bases: number | null;
        };
        DailyUsage: {
            /** @description The days, oldest first */
            days: components["schemas"]["DayOfUsage"][];
        };
        DayOfUsage: {
            /**
             * Format: date
             * @description A day from midnight to midnight UTC, ISO 8601
             */
            day: string;
            /** @description Credits of the work that began that day; 100 are one currency unit */
            credits: number;
            /** @description Runs that began that day; their sub-workflows are not counted */
            runs: number;
            /** @description Tokens that models were given, those of the organization's own accounts included */
            input_tokens: number;
            /** @description Tokens that models wrote, those of the organization's own accounts included */
            output_tokens: number;
        };
        WalletLedgerPage: {
            /** @description The rows of this page */
            items: components["schemas"]["WalletLedgerEntry"][];
            /** @description What to send as `cursor` for the next page; null at the end */
            next_cursor: string | null;
        };
        WalletLedgerEntry: {
            /**
             * Format: uuid
             * @description Its id, given by the service
             */
            id: string;
            /**
             * @description Bought, used, or set right by the operator
             * @enum {string}
             */
            kind: "topup" | "usage" | "adjustment";
            /** @description Credits that came in, or went out where it is negative */
            amount: number;
            /** @description Credits in the wallet afterwards */
            balance: number;
            /** @description Free-form facts beside the fields */
            extra_metadata: components["schemas"]["JsonObject"];
            /**
             * Format: date-time
             * @description When it was made, ISO 8601 UTC
             */
            created_at: string;
        };
        PaidSubscriptionRequired: {
            /** @description What is wrong */
            detail: {
                /** @description A stable word for why it is refused: `paid_subscription_required` */
                reason: string;
            };
        };
        Topup: {
            /** @description Where the payment is made */
            checkout_url: string;
        };
        StripeEventReceived: {
            /**
             * @description The event was taken
             * @constant
             */
            received: true;
        };
        Schedule: {
            /**
             * Format: uuid
             * @description Its id, given by the service
             */
            id: string;
            /**
             * Format: uuid
             * @description Id of the organization that it belongs to
             */
            organization_id: string;
            /**
             * Format: uuid
             * @description Id of the workflow whose live deployment runs
             */
            workflow_id: string;
            /** @description What people call it */
            name: string;
            /** @description When it runs: minute, hour, day of month, month, day of week */
            cron_expression: string;
            /** @description Name in the time zone database by which the times are meant; UTC when left out */
            timezone: string;
            /** @description Input of each run, over the default input of the deployment */
            input: components["schemas"]["JsonObject"];
            /** @description Settings of each run */
            config: components["schemas"]["JsonObject"];
            /** @description Whether it runs at its times */
            enabled: boolean;
            /**
             * @description What happens at a time at which a run of the schedule is still open, as one is that waits for a person: `skip` drops the time and says so in `skipped_count`, `buffer_one` runs once afterwards and drops the rest, `allow_all` runs beside, the others end the open run
             * @enum {string}
             */
            overlap_policy: "skip" | "buffer_one" | "allow_all" | "cancel_other" | "terminate_other";
            /** @description How late a run may still begin after an outage, in seconds */
            catchup_window_seconds: number;
            /** @description No run before this moment, ISO 8601 UTC; null: at once */
            start_at: string | null;
            /** @description No run after this moment, ISO 8601 UTC; null: for ever */
            end_at: string | null;
            /** @description After so many runs it is disabled; null: any number */
            max_runs: number | null;
            /** @description Failures since the last success; 20 disable it */
            consecutive_failures: number;
            /** @description Why the service has disabled it; null when it has not */
            disabled_reason: string | null;
            /** @description When it runs next, ISO 8601 UTC; null: not any more, or not while it is disabled */
            next_run_at: string | null;
            /** @description When it ran last, ISO 8601 UTC; null before */
            last_run_at: string | null;
            /** @description The `run_id` of its last run; null before */
            last_run_id: string | null;
            /** @description How many runs it has made */
            run_count: number;
            /** @description How many times came to nothing because a run of the schedule was still open; those of `buffer_one` are counted within five minutes */
            skipped_count: number;
            /** @description The last of these times, ISO 8601 UTC; null before */
            last_skipped_at: string | null;
            /** @description The `run_id` of the run that was open then; null before */
            last_skipped_run_id: string | null;
            /** @description Id of the user who made it; null when no user did, or when that user is gone */
            created_by: string | null;
            /**
             * Format: date-time
             * @description When it was made, ISO 8601 UTC
             */
            created_at: string;
            /**
             * Format: date-time
             * @description When it was changed last, ISO 8601 UTC
             */
            updated_at: string;
            /** @description Unknown fields of the body, which were ignored, and numbers that were kept as text to preserve their digits */
            warnings?: components["schemas"]["BodyWarning"][];
        };
        ScheduleList: {
            /** @description The schedules of this page */
            schedules: components["schemas"]["Schedule"][];
            /** @description Whether there is another page, at `offset` + `limit` */
            has_more: boolean;
            /** @description How many a page has at most */
            limit: number;
            /** @description How many were passed over before this page */
            offset: number;
        };
        ScheduledRunList: {
            /** @description The runs of this page, newest first */
            runs: components["schemas"]["ScheduledRun"][];
            /** @description Whether there is another page, at `offset` + `limit` */
            has_more: boolean;
            /** @description How many a page has at most */
            limit: number;
            /** @description How many were passed over before this page */
            offset: number;
        };
        ScheduledRun: {
            /**
             * Format: uuid
             * @description The key of the history: `run_pk` in paths
             */
            id: string;
            /**
             * Format: uuid
             * @description The run that is listened to and cancelled; each answer to a question begins a new one
             */
            run_id: string;
            /** @description Id of the workflow; null when there is none, as of a run of an inline definition */
            workflow_id: string | null;
            /** @description Id of the deployment; null of a run without one */
            deployment_id: string | null;
            /** @description How it was started: `api`, `schedule`, `chat`, or `workflow` by a node of another run */
            trigger_type: string;
            /** @description Whether it runs a definition of the request, without a deployment */
            is_ad_hoc: boolean;
            /**
             * @description Where it stands; `interrupted`: it waits for an answer, or has been answered
             * @enum {string}
             */
            status: "running" | "interrupted" | "succeeded" | "failed" | "cancelled";
            /**
             * Format: date-time
             * @description When the work began, ISO 8601 UTC
             */
            started_at: string;
            /** @description When it ended, ISO 8601 UTC; null until then */
            completed_at: string | null;
            /** @description How long it took, in seconds; null until it has ended */
            duration_seconds: number | null;
            /** @description Why it failed, for people; null when it did not */
            error_message: string | null;
            /** @description The beginning of the output as text; null without one */
            output_summary: string | null;
            /** @description Whether there is an output to read in the record */
            has_output: boolean;
            /** @description A question of this run still waits for its answer */
            has_open_interrupts: boolean;
            /**
             * Format: date-time
             * @description When it was made, ISO 8601 UTC
             */
            created_at: string;
            /**
             * Format: date-time
             * @description The time at which the run was due, ISO 8601 UTC
             */
            scheduled_at: string;
        };
        ScheduleFirings: {
            /** @description Name in the time zone database by which the times are meant; UTC when left out */
            timezone: string;
            /** @description The next times, in order; `limit` of them fire */
            firings: components["schemas"]["ScheduleFiring"][];
            /** @description Of the times of the next 365 days those that a change of the clocks drops or doubles, 100 at most */
            clock_changes: components["schemas"]["ScheduleFiring"][];
        };
        ScheduleFiring: {
            /** @description When it fires, ISO 8601 UTC; null: the clocks skip this time, and it does not */
            scheduled_at: string | null;
            /** @description What the clock of the time zone shows then */
            local_time: string;
            /** @description `skipped`: dropped by a change of the clocks; `repeated`: one of two that the same clock shows; null: neither */
            clock_change: ("skipped" | "repeated") | null;
        };
        Hook: {
            /**
             * Format: uuid
             * @description Its id, given by the service
             */
            id: string;
            /**
             * Format: uuid
             * @description Id of the organization that it belongs to
             */
            organization_id: string;
            /**
             * Format: uuid
             * @description Id of the workflow; null when there is none, as of a run of an inline definition
             */
            workflow_id: string;
            /** @description Name of the webhook, for people */
            name: string;
            /** @description Whether the address starts runs; a disabled one answers 404 */
            enabled: boolean;
            /** @description Address of the webhook; whoever has it can call it */
            url: string;
            /** @description Until when the address before the last rotation works; null: it does not */
            previous_url_until: string | null;
            /**
             * @description How requests prove their sender
             * @enum {string}
             */
            verification: "none" | "bearer" | "basic" | "standard" | "github" | "stripe" | "slack";
            /** @description Number of secrets that are stored */
            secret_count: number;
            /** @description Rules over `method`, `headers`, `query` and `body`; null: every request starts a run */
            filter: components["schemas"]["Json"];
            /** @description Templates that make the input of the run; null: the body, or the query of a request without one */
            mapping: components["schemas"]["JsonObject"] | null;
            /**
             * @description How requests are recognized as one event: by the id of the sender, by content, or not at all
             * @enum {string}
             */
            deduplicate_by: "sender_id" | "content" | "none";
            /** @description Header with the id of an event; null: the usual one of the verification */
            id_header: string | null;
            /** @description How the hook answers its sender */
            response: {
                [key: string]: components["schemas"]["Json"];
            };
            /** @description Number of requests that were not verified; bursts count once a second */
            rejected_count: number;
            /** @description When a request was last not verified; null: never */
            last_rejected_at: string | null;
            /** @description Why: `signature_missing`, `signature_wrong` or `signature_too_old` */
            last_rejected_reason: string | null;
            /** @description When a verified request last came; null: never */
            last_delivery_at: string | null;
            /** @description Id of the user who made it; null when no user did, or when that user is gone */
            created_by: string | null;
            /**
             * Format: date-time
             * @description When it was made, ISO 8601 UTC
             */
            created_at: string;
            /**
             * Format: date-time
             * @description When it was changed last, ISO 8601 UTC
             */
            updated_at: string;
            /** @description Unknown fields of the body, which were ignored, and numbers that were kept as text to preserve their digits */
            warnings?: components["schemas"]["BodyWarning"][];
        };
        HookList: {
            /** @description The webhooks of the workflow, newest first */
            hooks: components["schemas"]["Hook"][];
        };
        HookDeliveryList: {
            /** @description The requests, newest first */
            deliveries: components["schemas"]["HookDelivery"][];
            /** @description Whether there is another page, at `offset` + `limit` */
            has_more: boolean;
            /** @description How many a page has at most */
            limit: number;
            /** @description How many were passed over before this page */
            offset: number;
        };
        HookDelivery: {
            /**
             * Format: uuid
             * @description Its id, given by the service
             */
            id: string;
            /**
             * Format: uuid
             * @description Id of the webhook
             */
            hook_id: string;
            /**
             * Format: date-time
             * @description When the request came
             */
            received_at: string;
            /**
             * @description `started` a run, was `filtered`, or `failed`
             * @enum {string}
             */
            outcome: "started" | "filtered" | "failed";
            /** @description Why no run was started; null when one was */
            error: components["schemas"]["HookError"];
            /** @description The run in the history: `run_pk` in paths */
            run_pk: string | null;
            /** @description The run that is listened to and cancelled; each answer to a question begins a new one */
            run_id: string | null;
            /** @description The delivery that this one repeats by hand; null: it came from the sender */
            redelivery_of: string | null;
            /** @description The request without the headers that carry secrets */
            request: components["schemas"]["HookRequest"];
            /** @description Input that the mapping of today makes of the request; null when it cannot */
            input: components["schemas"]["JsonObject"] | null;
        };
        HookError: {
            /** @description A stable word for programs */
            code: string;
            /** @description Why, for people */
            message: string;
        } | null;
        HookRequest: {
            /** @description Method of the request */
            method: string;
            /** @description Headers of the request, their names in lower case */
            headers: components["schemas"]["JsonObject"];
            /** @description Query of the request; a name that is given several times has a list */
            query: components["schemas"]["JsonObject"];
            /** @description JSON value, fields of a form, or text */
            body: components["schemas"]["Json"];
        };
        HookReceived: {
            /**
             * @description The run was accepted, is that of an earlier duplicate, or the filter left the request out
             * @enum {string}
             */
            status: "accepted" | "duplicate" | "filtered";
            /**
             * Format: uuid
             * @description Id of the delivery in the log of the webhook
             */
            delivery_id: string;
            /** @description The run; null when none was started */
            run_id: string | null;
        };
        SupportRequest: {
            /**
             * Format: uuid
             * @description Its id, given by the service
             */
            id: string;
            /** @description What it is about, in a line */
            subject: string;
            /** @description What the person asks */
            message: string;
            /** @description Where the request stands */
            status: string;
            /** @description The organization that it is about; null: none */
            organization_id: string | null;
            /**
             * Format: date-time
             * @description When it was made, ISO 8601 UTC
             */
            created_at: string;
        };
        KnowledgeBase: {
            /**
             * Format: uuid
             * @description Its id, given by the service
             */
            id: string;
            /**
             * Format: uuid
             * @description Id of the organization that it belongs to
             */
            organization_id: string;
            /** @description Id of the user who made it; null when that user is gone */
            created_by_user_id: string | null;
            /** @description Null: managed */
            credential_id: string | null;
            /** @description What people call it */
            name: string;
            /** @description In a few words, for people; null or empty when there are none */
            description: string;
            /** @description The model that turns texts into vectors; null: the managed one */
            embedding_config: components["schemas"]["EmbeddingConfig"];
            /** @description How documents are cut into chunks; null: the defaults */
            chunking_config: components["schemas"]["ChunkingConfig"];
            /** @description How many documents it has */
            document_count: number;
            /** @description How many chunks they have in all */
            total_chunks: number;
            /** @description How many tokens they have in all */
            total_tokens: number;
            /**
             * @description `indexing` while a document is being taken in
             * @enum {string}
             */
            status: "active" | "indexing";
            /** @description Counts about it */
            stats: components["schemas"]["KnowledgeBaseStats"];
            /**
             * Format: date-time
             * @description When it was made, ISO 8601 UTC
             */
            created_at: string;
            /**
             * Format: date-time
             * @description When it was changed last, ISO 8601 UTC
             */
            updated_at: string;
            /** @description Unknown fields of the body, which were ignored, and numbers that were kept as text to preserve their digits */
            warnings?: components["schemas"]["BodyWarning"][];
        };
        EmbeddingConfig: {
            /** @description Name of the provider of the model */
            provider: string;
            /** @description Name of the model, as its provider calls it */
            model: string;
            /** @description How many numbers a vector has; null: as many as the model gives */
            dimensions: number | null;
            /**
             * Format: uuid
             * @description The organization's own account; missing: managed
             */
            credential_id?: string;
        };
        ChunkingConfig: {
            /** @description How a text is cut: as full as a chunk may be, at the best edge in its later half */
            strategy: string;
            /** @description How many tokens a chunk has at most */
            chunk_size: number;
            /** @description How many tokens a chunk repeats of the one before */
            chunk_overlap: number;
            /** @description What sizes are counted in */
            unit: string;
        };
        KnowledgeBaseStats: {
            /** @description How many documents are in each status */
            documents_by_status: {
                [key: string]: number;
            };
            /** @description When a document was last taken in whole, ISO 8601 UTC; null: never */
            last_indexed_at: string | null;
            /** @description Size of the documents, in bytes */
            storage_bytes: number;
            /** @description How many searches there were in the last 30 days */
            searches_30d: number;
        };
        KnowledgeBasePage: {
            /** @description The knowledge bases of this page */
            knowledge_bases: components["schemas"]["KnowledgeBase"][];
            /** @description What to send as `cursor` for the next page; null at the end */
            next_cursor: string | null;
        };
        KnowledgeSearchResult: {
            /** @description What is searched for, in plain words */
            query: string;
            /**
             * Format: uuid
             * @description Id of the knowledge base
             */
            knowledge_base_id: string;
            /** @description How many matches there are at most */
            top_k: number;
            /** @description How many matches there are */
            total_matches: number;
            /** @description The matches, the best first */
            matches: components["schemas"]["KnowledgeMatch"][];
        };
        KnowledgeMatch: {
            /**
             * Format: uuid
             * @description Id of the chunk
             */
            chunk_id: string;
            /**
             * Format: uuid
             * @description Id of the document
             */
            document_id: string;
            /** @description Name of the document */
            document_name: string;
            /**
             * Format: uuid
             * @description Id of the knowledge base
             */
            knowledge_base_id: string;
            /** @description Position of the chunk in its document, from 0 */
            chunk_index: number;
            /** @description How near it is: 1 minus the cosine distance, 0 to 1 */
            score: number;
            /** @description The text */
            content?: string;
            /** @description Free-form facts about the chunk */
            chunk_metadata?: components["schemas"]["JsonObject"];
            /** @description Free-form facts about the document; searches filter by them */
            doc_metadata?: components["schemas"]["JsonObject"];
            /** @description Where the document was read from; null: it was uploaded */
            source_url: string | null;
            /** @description How many tokens it has */
            token_count: number;
        };
        KnowledgeDocument: {
            /**
             * Format: uuid
             * @description Its id, given by the service
             */
            id: string;
            /**
             * Format: uuid
             * @description Id of the knowledge base
             */
            knowledge_base_id: string;
            /** @description What people call it */
            name: string;
            /**
             * @description Where it comes from
             * @constant
             */
            source_type: "upload";
            /** @description What kind of file it is */
            mime_type: string;
            /** @description Size of the file, in bytes */
            size_bytes: number;
            /** @description SHA-256 of the file; the same content is the same document */
            content_hash: string;
            /**
             * @description Where the taking in stands
             * @enum {string}
             */
            status: "pending" | "processing" | "completed" | "failed";
            /** @description What is being done to it; null when nothing is */
            stage: ("parsing" | "embedding") | null;
            /** @description How far it is */
            progress: components["schemas"]["DocumentProgress"];
            /** @description Why it failed; null when it did not */
            error: components["schemas"]["DocumentError"] | null;
            /** @description How many chunks it has */
            chunk_count: number;
            /** @description How many tokens it has */
            token_count: number;
            /** @description Free-form facts about the document; searches filter by them */
            doc_metadata: components["schemas"]["JsonObject"];
            /** @description How often it was tried to take it in */
            attempts: number;
            /** @description Id of the user who made it; null when no user did, or when that user is gone */
            created_by: string | null;
            /**
             * Format: date-time
             * @description When it was made, ISO 8601 UTC
             */
            created_at: string;
            /**
             * Format: date-time
             * @description When it was changed last, ISO 8601 UTC
             */
            updated_at: string;
            /** @description When it ended, ISO 8601 UTC; null until then */
            completed_at: string | null;
        };
        DocumentProgress: {
            /** @description How many chunks have a vector */
            chunks_done: number;
            /** @description How many chunks there are; null before they are cut */
            chunks_total: number | null;
        };
        DocumentError: {
            /** @description A stable word for programs */
            code: string;
            /** @description What has happened, for people */
            message: string;
        };
        KnowledgeDocumentPage: {
            /** @description The documents of this page */
            documents: components["schemas"]["KnowledgeDocument"][];
            /** @description What to send as `cursor` for the next page; null at the end */
            next_cursor: string | null;
        };
        KnowledgeChunkList: {
            /** @description The chunks of this page, in their order */
            chunks: components["schemas"]["KnowledgeChunk"][];
            /** @description Whether there is another page, at `offset` + `limit` */
            has_more: boolean;
            /** @description How many a page has at most */
            limit: number;
            /** @description How many were passed over before this page */
            offset: number;
        };
        KnowledgeChunk: {
            /**
             * Format: uuid
             * @description Its id, given by the service
             */
            id: string;
            /**
             * Format: uuid
             * @description Id of the document
             */
            document_id: string;
            /** @description Position of the chunk in its document, from 0 */
            chunk_index: number;
            /** @description The text */
            content: string;
            /** @description How many tokens it has */
            token_count: number;
            /** @description Free-form facts about the chunk */
            chunk_metadata: components["schemas"]["JsonObject"];
        };
        /**
         * @description Shape A: the error as text
         * @example {
         *       "detail": "Workflow not found"
         *     }
         */
        DetailError: {
            /** @description What is wrong */
            detail: string;
        };
        /**
         * @description Shape B: the error as an object
         * @example {
         *       "detail": {
         *         "code": "rate_limited",
         *         "layer": "rate",
         *         "key": "api",
         *         "current": 60,
         *         "limit": 60,
         *         "reason": "rate_limit_exceeded"
         *       }
         *     }
         */
        StructuredError: {
            /** @description What is wrong, as an object: `code`, `reason` or what the surface has */
            detail: components["schemas"]["JsonObject"];
        };
        /**
         * @description Shape C: each validation error and its location
         * @example {
         *       "detail": [
         *         {
         *           "loc": [
         *             "body",
         *             "name"
         *           ],
         *           "msg": "Field required",
         *           "type": "missing"
         *         }
         *       ]
         *     }
         */
        ValidationError: {
            /** @description One entry for each finding */
            detail: {
                /** @description Where in the request: `body`, `query` or `path`, then keys and positions */
                loc: (string | number)[];
                /** @description What is wrong, for people */
                msg: string;
                /** @description A stable word for the kind of mistake, such as `missing` */
                type: string;
            }[];
        };
        /**
         * @description Shape D: a denial of the billing gate, before anything is written
         * @example {
         *       "code": "credit_plan_exhausted",
         *       "layer": "credit",
         *       "key": "monthly_credits",
         *       "current": 500,
         *       "limit": 500,
         *       "reason": "credit_plan_exhausted"
         *     }
         */
        Denial: {
            /**
             * @description What was hit: fixes the meaning of the other fields
             * @enum {string}
             */
            code: "rate_limit_exceeded" | "quota_exceeded" | "credit_plan_exhausted" | "wallet_overage_disabled" | "wallet_insufficient" | "upgrade_payment_failed";
            /**
             * @description Which layer denies; it fixes the status: rate 429, quota 403, credit and wallet 402
             * @enum {string}
             */
            layer: "rate" | "quota" | "credit" | "wallet";
            /** @description Name of the limit that was hit, such as `sync_exec`; null when there is none */
            key: string | null;
            /** @description How much of the limit is used; null when it is not known */
            current: number | null;
            /** @description The limit; null when it is not known */
            limit: number | null;
            /** @description Why, often the same as `code`; null when there is nothing to add */
            reason: string | null;
        };
        Frame: components["schemas"]["RunStartedFrame"] | components["schemas"]["NodeStartedFrame"] | components["schemas"]["NodeCompletedFrame"] | components["schemas"]["NodeFailedFrame"] | components["schemas"]["NodeRetryFrame"] | components["schemas"]["NodeSkippedFrame"] | components["schemas"]["NodeReusedFrame"] | components["schemas"]["StateUpdatedFrame"] | components["schemas"]["TokenFrame"] | components["schemas"]["TokenResetFrame"] | components["schemas"]["ProgressFrame"] | components["schemas"]["ToolCallFrame"] | components["schemas"]["InterruptFrame"] | components["schemas"]["InterruptResolvedFrame"] | components["schemas"]["RunCompletedFrame"] | components["schemas"]["RunFailedFrame"] | components["schemas"]["RunCancelledFrame"] | components["schemas"]["RunInterruptedFrame"] | components["schemas"]["PausedFrame"] | components["schemas"]["HeartbeatFrame"] | components["schemas"]["SnapshotFrame"] | components["schemas"]["StreamErrorFrame"];
    };
    responses: {
        /** @description Validation failed */
        Invalid: {
            headers: {
                "X-Request-ID": components["headers"]["RequestId"];
                "X-Error-Code": components["headers"]["ErrorCode"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ValidationError"];
            };
        };
        /** @description Unexpected error; with Retry-After when the database is unavailable */
        Unexpected: {
            headers: {
                "X-Request-ID": components["headers"]["RequestId"];
                "X-Error-Code": components["headers"]["ErrorCode"];
                "Retry-After": components["headers"]["RetryAfter"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["DetailError"];
            };
        };
        /** @description Malformed request */
        BadRequest: {
            headers: {
                "X-Request-ID": components["headers"]["RequestId"];
                "X-Error-Code": components["headers"]["ErrorCode"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["DetailError"];
            };
        };
        /** @description Missing or invalid credential */
        Unauthenticated: {
            headers: {
                "X-Request-ID": components["headers"]["RequestId"];
                "X-Error-Code": components["headers"]["ErrorCode"];
                "WWW-Authenticate": components["headers"]["WwwAuthenticate"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["DetailError"];
            };
        };
        /** @description Not allowed */
        Forbidden: {
            headers: {
                "X-Request-ID": components["headers"]["RequestId"];
                "X-Error-Code": components["headers"]["ErrorCode"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["DetailError"];
            };
        };
        /** @description The key, the user or the organization has no requests left */
        OrganizationLimited: {
            headers: {
                "X-Request-ID": components["headers"]["RequestId"];
                "X-Error-Code": components["headers"]["ErrorCode"];
                "Retry-After": components["headers"]["RetryAfter"];
                "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["DetailError"] | components["schemas"]["StructuredError"];
            };
        };
        /** @description The caller cannot be authenticated: the identity provider is unavailable */
        Unavailable: {
            headers: {
                "X-Request-ID": components["headers"]["RequestId"];
                "X-Error-Code": components["headers"]["ErrorCode"];
                "Retry-After": components["headers"]["RetryAfter"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["DetailError"];
            };
        };
        /** @description Request body too large */
        TooLarge: {
            headers: {
                "X-Request-ID": components["headers"]["RequestId"];
                "X-Error-Code": components["headers"]["ErrorCode"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["DetailError"];
            };
        };
        /** @description The encoding or charset of the body is not supported */
        UnsupportedEncoding: {
            headers: {
                "X-Request-ID": components["headers"]["RequestId"];
                "X-Error-Code": components["headers"]["ErrorCode"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["DetailError"];
            };
        };
        /** @description The resource does not exist, or belongs to another organization */
        NotFound: {
            headers: {
                "X-Request-ID": components["headers"]["RequestId"];
                "X-Error-Code": components["headers"]["ErrorCode"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["DetailError"];
            };
        };
        /** @description Credits or wallet do not suffice */
        Denied: {
            headers: {
                "X-Request-ID": components["headers"]["RequestId"];
                "X-Error-Code": components["headers"]["ErrorCode"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Denial"];
            };
        };
        /** @description Not allowed, or the quota is reached */
        ForbiddenOrDenied: {
            headers: {
                "X-Request-ID": components["headers"]["RequestId"];
                "X-Error-Code": components["headers"]["ErrorCode"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["DetailError"] | components["schemas"]["Denial"];
            };
        };
        /** @description The key, the user or the organization has no requests or runs left */
        RunLimited: {
            headers: {
                "X-Request-ID": components["headers"]["RequestId"];
                "X-Error-Code": components["headers"]["ErrorCode"];
                "Retry-After": components["headers"]["RetryAfter"];
                "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["DetailError"] | components["schemas"]["StructuredError"] | components["schemas"]["Denial"];
            };
        };
        /** @description The key or the user has no requests left */
        CallerLimited: {
            headers: {
                "X-Request-ID": components["headers"]["RequestId"];
                "X-Error-Code": components["headers"]["ErrorCode"];
                "Retry-After": components["headers"]["RetryAfter"];
                "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["DetailError"];
            };
        };
    };
    parameters: never;
    requestBodies: never;
    headers: {
        /** @description The client's X-Request-ID if it has 8 to 64 characters of A-Z a-z 0-9 . _ -, else a new one */
        RequestId: string;
        /** @description The stable code of the error, for every shape of body; codes may be added */
        ErrorCode: string;
        /** @description Always `Bearer` */
        WwwAuthenticate: "Bearer";
        /** @description Seconds to wait */
        RetryAfter: number;
        /** @description Requests in 60 seconds */
        RateLimitLimit: number;
        /** @description Requests left in the window */
        RateLimitRemaining: number;
        /** @description When requests are allowed again, in Unix seconds */
        RateLimitReset: number;
    };
    pathItems: never;
}
export type AgentToolOptions = components['schemas']['AgentToolOptions'];
export type AgentTool = components['schemas']['AgentTool'];
export type KnowledgeToolConfig = components['schemas']['KnowledgeToolConfig'];
export type GuardrailCheck = components['schemas']['GuardrailCheck'];
export type LlmNodeConfig = components['schemas']['LlmNodeConfig'];
export type ToolNodeConfig = components['schemas']['ToolNodeConfig'];
export type AgentNodeConfig = components['schemas']['AgentNodeConfig'];
export type FunctionNodeConfig = components['schemas']['FunctionNodeConfig'];
export type ConditionalNodeConfig = components['schemas']['ConditionalNodeConfig'];
export type InterruptNodeConfig = components['schemas']['InterruptNodeConfig'];
export type TransformerNodeConfig = components['schemas']['TransformerNodeConfig'];
export type GuardrailsNodeConfig = components['schemas']['GuardrailsNodeConfig'];
export type KnowledgeNodeConfig = components['schemas']['KnowledgeNodeConfig'];
export type HttpToolConfig = components['schemas']['HttpToolConfig'];
export type IntegrationToolConfig = components['schemas']['IntegrationToolConfig'];
export type McpToolConfig = components['schemas']['McpToolConfig'];
export type WorkflowToolConfig = components['schemas']['WorkflowToolConfig'];
export type RulesConditionalConfig = components['schemas']['RulesConditionalConfig'];
export type LlmConditionalConfig = components['schemas']['LlmConditionalConfig'];
export type ApprovalInterruptConfig = components['schemas']['ApprovalInterruptConfig'];
export type InputInterruptConfig = components['schemas']['InputInterruptConfig'];
export type WaitInterruptConfig = components['schemas']['WaitInterruptConfig'];
export type MapTransformerConfig = components['schemas']['MapTransformerConfig'];
export type ListTransformerConfig = components['schemas']['ListTransformerConfig'];
export type TemplateTransformerConfig = components['schemas']['TemplateTransformerConfig'];
export type MergeTransformerConfig = components['schemas']['MergeTransformerConfig'];
export type PiiGuardrailCheck = components['schemas']['PiiGuardrailCheck'];
export type SecretKeysGuardrailCheck = components['schemas']['SecretKeysGuardrailCheck'];
export type KeywordsGuardrailCheck = components['schemas']['KeywordsGuardrailCheck'];
export type RegexGuardrailCheck = components['schemas']['RegexGuardrailCheck'];
export type UrlsGuardrailCheck = components['schemas']['UrlsGuardrailCheck'];
export type JsonSchemaGuardrailCheck = components['schemas']['JsonSchemaGuardrailCheck'];
export type MaxLengthGuardrailCheck = components['schemas']['MaxLengthGuardrailCheck'];
export type ModerationGuardrailCheck = components['schemas']['ModerationGuardrailCheck'];
export type JailbreakGuardrailCheck = components['schemas']['JailbreakGuardrailCheck'];
export type TopicGuardrailCheck = components['schemas']['TopicGuardrailCheck'];
export type GroundingGuardrailCheck = components['schemas']['GroundingGuardrailCheck'];
export type CustomGuardrailCheck = components['schemas']['CustomGuardrailCheck'];
export type CanvasPosition = components['schemas']['CanvasPosition'];
export type NodeRetry = components['schemas']['NodeRetry'];
export type NodeForEach = components['schemas']['NodeForEach'];
export type NodeMock = components['schemas']['NodeMock'];
export type Rule = components['schemas']['Rule'];
export type RuleGroup = components['schemas']['RuleGroup'];
export type Rules = components['schemas']['Rules'];
export type Edge = components['schemas']['Edge'];
export type StateField = components['schemas']['StateField'];
export type WorkflowMetadata = components['schemas']['WorkflowMetadata'];
export type WorkflowSettings = components['schemas']['WorkflowSettings'];
export type WorkflowDefinition = components['schemas']['WorkflowDefinition'];
export type WorkflowDraft = components['schemas']['WorkflowDraft'];
export type LlmNode = components['schemas']['LlmNode'];
export type ToolNode = components['schemas']['ToolNode'];
export type AgentNode = components['schemas']['AgentNode'];
export type FunctionNode = components['schemas']['FunctionNode'];
export type ConditionalNode = components['schemas']['ConditionalNode'];
export type InterruptNode = components['schemas']['InterruptNode'];
export type TransformerNode = components['schemas']['TransformerNode'];
export type GuardrailsNode = components['schemas']['GuardrailsNode'];
export type KnowledgeNode = components['schemas']['KnowledgeNode'];
export type Node = components['schemas']['Node'];
export type NewWorkflow = components['schemas']['NewWorkflow'];
export type JsonObject = components['schemas']['JsonObject'];
export type WorkflowUpdate = components['schemas']['WorkflowUpdate'];
export type NodePin = components['schemas']['NodePin'];
export type NewRun = components['schemas']['NewRun'];
export type RunConfig = components['schemas']['RunConfig'];
export type NewRunBatch = components['schemas']['NewRunBatch'];
export type BatchConfig = components['schemas']['BatchConfig'];
export type RunAnswer = components['schemas']['RunAnswer'];
export type Json = components['schemas']['Json'];
export type InterruptAnswer = components['schemas']['InterruptAnswer'];
export type Cancellation = components['schemas']['Cancellation'];
export type NodeTest = components['schemas']['NodeTest'];
export type Rerun = components['schemas']['Rerun'];
export type DeployRequest = components['schemas']['DeployRequest'];
export type NewOrganization = components['schemas']['NewOrganization'];
export type OrganizationUpdate = components['schemas']['OrganizationUpdate'];
export type RoleChange = components['schemas']['RoleChange'];
export type NewInvitation = components['schemas']['NewInvitation'];
export type NewCredential = components['schemas']['NewCredential'];
export type NewAuthorization = components['schemas']['NewAuthorization'];
export type AuthorizationEnd = components['schemas']['AuthorizationEnd'];
export type CredentialChange = components['schemas']['CredentialChange'];
export type NewApiKey = components['schemas']['NewApiKey'];
export type ChatChange = components['schemas']['ChatChange'];
export type AssistantMessage = components['schemas']['AssistantMessage'];
export type ComposerMessage = components['schemas']['ComposerMessage'];
export type ExtraUsageChange = components['schemas']['ExtraUsageChange'];
export type NewTopup = components['schemas']['NewTopup'];
export type NewSchedule = components['schemas']['NewSchedule'];
export type ScheduleConfig = components['schemas']['ScheduleConfig'];
export type ScheduleChange = components['schemas']['ScheduleChange'];
export type NewHook = components['schemas']['NewHook'];
export type HookResponse = components['schemas']['HookResponse'];
export type HookChange = components['schemas']['HookChange'];
export type HookRotation = components['schemas']['HookRotation'];
export type NewSupportRequest = components['schemas']['NewSupportRequest'];
export type NewKnowledgeBase = components['schemas']['NewKnowledgeBase'];
export type NewEmbeddingConfig = components['schemas']['NewEmbeddingConfig'];
export type KnowledgeBaseChange = components['schemas']['KnowledgeBaseChange'];
export type KnowledgeSearch = components['schemas']['KnowledgeSearch'];
export type DocumentUpload = components['schemas']['DocumentUpload'];
export type RunStartedFrame = components['schemas']['RunStartedFrame'];
export type NodeStartedFrame = components['schemas']['NodeStartedFrame'];
export type NodeCompletedFrame = components['schemas']['NodeCompletedFrame'];
export type TokenUsage = components['schemas']['TokenUsage'];
export type StepWarning = components['schemas']['StepWarning'];
export type NodeFailedFrame = components['schemas']['NodeFailedFrame'];
export type Failure = components['schemas']['Failure'];
export type NodeRetryFrame = components['schemas']['NodeRetryFrame'];
export type NodeSkippedFrame = components['schemas']['NodeSkippedFrame'];
export type NodeReusedFrame = components['schemas']['NodeReusedFrame'];
export type StateUpdatedFrame = components['schemas']['StateUpdatedFrame'];
export type TokenFrame = components['schemas']['TokenFrame'];
export type TokenResetFrame = components['schemas']['TokenResetFrame'];
export type ProgressFrame = components['schemas']['ProgressFrame'];
export type ToolCallFrame = components['schemas']['ToolCallFrame'];
export type InterruptFrame = components['schemas']['InterruptFrame'];
export type InterruptAction = components['schemas']['InterruptAction'];
export type InterruptAssignees = components['schemas']['InterruptAssignees'];
export type InterruptResolvedFrame = components['schemas']['InterruptResolvedFrame'];
export type RunCompletedFrame = components['schemas']['RunCompletedFrame'];
export type RunFailedFrame = components['schemas']['RunFailedFrame'];
export type RunCancelledFrame = components['schemas']['RunCancelledFrame'];
export type RunInterruptedFrame = components['schemas']['RunInterruptedFrame'];
export type OpenInterrupt = components['schemas']['OpenInterrupt'];
export type PausedFrame = components['schemas']['PausedFrame'];
export type HeartbeatFrame = components['schemas']['HeartbeatFrame'];
export type HeartbeatNode = components['schemas']['HeartbeatNode'];
export type SnapshotFrame = components['schemas']['SnapshotFrame'];
export type SnapshotNode = components['schemas']['SnapshotNode'];
export type SnapshotInterrupt = components['schemas']['SnapshotInterrupt'];
export type StreamErrorFrame = components['schemas']['StreamErrorFrame'];
export type ServiceRoot = components['schemas']['ServiceRoot'];
export type Health = components['schemas']['Health'];
export type HealthReport = components['schemas']['HealthReport'];
export type HealthCheck = components['schemas']['HealthCheck'];
export type WorkflowList = components['schemas']['WorkflowList'];
export type WorkflowSummary = components['schemas']['WorkflowSummary'];
export type Workflow = components['schemas']['Workflow'];
export type DefinitionProblem = components['schemas']['DefinitionProblem'];
export type BodyWarning = components['schemas']['BodyWarning'];
export type WorkflowDeleted = components['schemas']['WorkflowDeleted'];
export type WorkflowUser = components['schemas']['WorkflowUser'];
export type WorkflowUsage = components['schemas']['WorkflowUsage'];
export type RunStartedOrEnded = components['schemas']['RunStartedOrEnded'];
export type RunMessage = components['schemas']['RunMessage'];
export type OpenQuestion = components['schemas']['OpenQuestion'];
export type RunStarted = components['schemas']['RunStarted'];
export type RunBatchStarted = components['schemas']['RunBatchStarted'];
export type BatchReceipt = components['schemas']['BatchReceipt'];
export type StartRefusal = components['schemas']['StartRefusal'];
export type RunResumed = components['schemas']['RunResumed'];
export type RunCancelled = components['schemas']['RunCancelled'];
export type RunList = components['schemas']['RunList'];
export type RunListItem = components['schemas']['RunListItem'];
export type InterruptList = components['schemas']['InterruptList'];
export type WaitingInterrupt = components['schemas']['WaitingInterrupt'];
export type Run = components['schemas']['Run'];
export type RunCredits = components['schemas']['RunCredits'];
export type RunCharge = components['schemas']['RunCharge'];
export type RunStep = components['schemas']['RunStep'];
export type StepAttempt = components['schemas']['StepAttempt'];
export type StepToolCall = components['schemas']['StepToolCall'];
export type Interrupt = components['schemas']['Interrupt'];
export type ChildWait = components['schemas']['ChildWait'];
export type ChildInterrupt = components['schemas']['ChildInterrupt'];
export type RunDefinition = components['schemas']['RunDefinition'];
export type RunComparison = components['schemas']['RunComparison'];
export type ComparedRun = components['schemas']['ComparedRun'];
export type ComparedNode = components['schemas']['ComparedNode'];
export type ComparedStep = components['schemas']['ComparedStep'];
export type RerunReply = components['schemas']['RerunReply'];
export type RerunStarted = components['schemas']['RerunStarted'];
export type RerunPlan = components['schemas']['RerunPlan'];
export type RerunCounts = components['schemas']['RerunCounts'];
export type RerunPlanNode = components['schemas']['RerunPlanNode'];
export type Deployment = components['schemas']['Deployment'];
export type DeploymentList = components['schemas']['DeploymentList'];
export type DeploymentListItem = components['schemas']['DeploymentListItem'];
export type DeploymentDeactivated = components['schemas']['DeploymentDeactivated'];
export type DeploymentDetail = components['schemas']['DeploymentDetail'];
export type DeploymentDeleted = components['schemas']['DeploymentDeleted'];
export type DeploymentActivated = components['schemas']['DeploymentActivated'];
export type OrganizationList = components['schemas']['OrganizationList'];
export type Organization = components['schemas']['Organization'];
export type OrganizationDetail = components['schemas']['OrganizationDetail'];
export type MemberList = components['schemas']['MemberList'];
export type Member = components['schemas']['Member'];
export type Success = components['schemas']['Success'];
export type Invitation = components['schemas']['Invitation'];
export type InvitationList = components['schemas']['InvitationList'];
export type Credential = components['schemas']['Credential'];
export type CredentialList = components['schemas']['CredentialList'];
export type Authorization = components['schemas']['Authorization'];
export type CredentialDetail = components['schemas']['CredentialDetail'];
export type CredentialUse = components['schemas']['CredentialUse'];
export type CredentialTest = components['schemas']['CredentialTest'];
export type CredentialToolList = components['schemas']['CredentialToolList'];
export type CredentialTool = components['schemas']['CredentialTool'];
export type IntegrationList = components['schemas']['IntegrationList'];
export type IntegrationSummary = components['schemas']['IntegrationSummary'];
export type IntegrationAuth = components['schemas']['IntegrationAuth'];
export type IntegrationActionSummary = components['schemas']['IntegrationActionSummary'];
export type Integration = components['schemas']['Integration'];
export type IntegrationAction = components['schemas']['IntegrationAction'];
export type CreatedApiKey = components['schemas']['CreatedApiKey'];
export type TooManyKeys = components['schemas']['TooManyKeys'];
export type ApiKeyList = components['schemas']['ApiKeyList'];
export type ApiKey = components['schemas']['ApiKey'];
export type Me = components['schemas']['Me'];
export type MyOrganizationList = components['schemas']['MyOrganizationList'];
export type MyOrganization = components['schemas']['MyOrganization'];
export type ChatPage = components['schemas']['ChatPage'];
export type Chat = components['schemas']['Chat'];
export type ChatMessagePage = components['schemas']['ChatMessagePage'];
export type ChatMessage = components['schemas']['ChatMessage'];
export type ChatMessageError = components['schemas']['ChatMessageError'];
export type AssistantAnswer = components['schemas']['AssistantAnswer'];
export type ComposerAnswer = components['schemas']['ComposerAnswer'];
export type Subscription = components['schemas']['Subscription'];
export type Credits = components['schemas']['Credits'];
export type Wallet = components['schemas']['Wallet'];
export type Entitlements = components['schemas']['Entitlements'];
export type DailyUsage = components['schemas']['DailyUsage'];
export type DayOfUsage = components['schemas']['DayOfUsage'];
export type WalletLedgerPage = components['schemas']['WalletLedgerPage'];
export type WalletLedgerEntry = components['schemas']['WalletLedgerEntry'];
export type PaidSubscriptionRequired = components['schemas']['PaidSubscriptionRequired'];
export type Topup = components['schemas']['Topup'];
export type StripeEventReceived = components['schemas']['StripeEventReceived'];
export type Schedule = components['schemas']['Schedule'];
export type ScheduleList = components['schemas']['ScheduleList'];
export type ScheduledRunList = components['schemas']['ScheduledRunList'];
export type ScheduledRun = components['schemas']['ScheduledRun'];
export type ScheduleFirings = components['schemas']['ScheduleFirings'];
export type ScheduleFiring = components['schemas']['ScheduleFiring'];
export type Hook = components['schemas']['Hook'];
export type HookList = components['schemas']['HookList'];
export type HookDeliveryList = components['schemas']['HookDeliveryList'];
export type HookDelivery = components['schemas']['HookDelivery'];
export type HookError = components['schemas']['HookError'];
export type HookRequest = components['schemas']['HookRequest'];
export type HookReceived = components['schemas']['HookReceived'];
export type SupportRequest = components['schemas']['SupportRequest'];
export type KnowledgeBase = components['schemas']['KnowledgeBase'];
export type EmbeddingConfig = components['schemas']['EmbeddingConfig'];
export type ChunkingConfig = components['schemas']['ChunkingConfig'];
export type KnowledgeBaseStats = components['schemas']['KnowledgeBaseStats'];
export type KnowledgeBasePage = components['schemas']['KnowledgeBasePage'];
export type KnowledgeSearchResult = components['schemas']['KnowledgeSearchResult'];
export type KnowledgeMatch = components['schemas']['KnowledgeMatch'];
export type KnowledgeDocument = components['schemas']['KnowledgeDocument'];
export type DocumentProgress = components['schemas']['DocumentProgress'];
export type DocumentError = components['schemas']['DocumentError'];
export type KnowledgeDocumentPage = components['schemas']['KnowledgeDocumentPage'];
export type KnowledgeChunkList = components['schemas']['KnowledgeChunkList'];
export type KnowledgeChunk = components['schemas']['KnowledgeChunk'];
export type DetailError = components['schemas']['DetailError'];
export type StructuredError = components['schemas']['StructuredError'];
export type ValidationError = components['schemas']['ValidationError'];
export type Denial = components['schemas']['Denial'];
export type Frame = components['schemas']['Frame'];
export type ResponseInvalid = components['responses']['Invalid'];
export type ResponseUnexpected = components['responses']['Unexpected'];
export type ResponseBadRequest = components['responses']['BadRequest'];
export type ResponseUnauthenticated = components['responses']['Unauthenticated'];
export type ResponseForbidden = components['responses']['Forbidden'];
export type ResponseOrganizationLimited = components['responses']['OrganizationLimited'];
export type ResponseUnavailable = components['responses']['Unavailable'];
export type ResponseTooLarge = components['responses']['TooLarge'];
export type ResponseUnsupportedEncoding = components['responses']['UnsupportedEncoding'];
export type ResponseNotFound = components['responses']['NotFound'];
export type ResponseDenied = components['responses']['Denied'];
export type ResponseForbiddenOrDenied = components['responses']['ForbiddenOrDenied'];
export type ResponseRunLimited = components['responses']['RunLimited'];
export type ResponseCallerLimited = components['responses']['CallerLimited'];
export type HeaderRequestId = components['headers']['RequestId'];
export type HeaderErrorCode = components['headers']['ErrorCode'];
export type HeaderWwwAuthenticate = components['headers']['WwwAuthenticate'];
export type HeaderRetryAfter = components['headers']['RetryAfter'];
export type HeaderRateLimitLimit = components['headers']['RateLimitLimit'];
export type HeaderRateLimitRemaining = components['headers']['RateLimitRemaining'];
export type HeaderRateLimitReset = components['headers']['RateLimitReset'];
export type $defs = Record<string, never>;
export interface operations {
    getServiceRoot: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-ID": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ServiceRoot"];
                };
            };
            422: components["responses"]["Invalid"];
            500: components["responses"]["Unexpected"];
        };
    };
    getHealth: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-ID": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Health"];
                };
            };
            422: components["responses"]["Invalid"];
            500: components["responses"]["Unexpected"];
        };
    };
    getMetrics: {
        parameters: {
            query?: never;
            header?: {
                /** @description The operator's secret */
                "X-Health-API-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-ID": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "text/plain": string;
                };
            };
            /** @description Not found */
            404: {
                headers: {
                    "X-Request-ID": components["headers"]["RequestId"];
                    "X-Error-Code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DetailError"];
                };
            };
            422: components["responses"]["Invalid"];
            /** @description Too many requests */
            429: {
                headers: {
                    "X-Request-ID": components["headers"]["RequestId"];
                    "X-Error-Code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DetailError"];
                };
            };
            500: components["responses"]["Unexpected"];
        };
    };
    getHealthReport: {
        parameters: {
            query?: never;
            header?: {
                /** @description The operator's secret */
                "X-Health-API-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-ID": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HealthReport"];
                };
            };
            /** @description Answer */
            401: {
                headers: {
                    "X-Request-ID": components["headers"]["RequestId"];
                    "X-Error-Code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DetailError"];
                };
            };
            422: components["responses"]["Invalid"];
            /** @description Too many requests */
            429: {
                headers: {
                    "X-Request-ID": components["headers"]["RequestId"];
                    "X-Error-Code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DetailError"];
                };
            };
            500: components["responses"]["Unexpected"];
            /** @description Not available now */
            503: {
                headers: {
                    "X-Request-ID": components["headers"]["RequestId"];
                    "X-Error-Code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DetailError"];
                };
            };
        };
    };
    listWorkflows: {
        parameters: {
            query?: {
                /** @description Number of the page, from 1 */
                page?: number;
                /** @description Rows per page; without it all rows are returned */
                page_size?: number;
                /** @description Only workflows in this status */
                status?: "draft" | "active" | "archived";
                /** @description Only workflows of this category */
                category?: string;
                /** @description Only workflows of this visibility */
                visibility?: "private" | "organization" | "public" | "system";
                /** @description A text in their names or descriptions */
                search?: string;
            };
            header?: {
                /** @description Id of the organization to act in */
                "X-Organization-ID"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-ID": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WorkflowList"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["OrganizationLimited"];
            500: components["responses"]["Unexpected"];
            503: components["responses"]["Unavailable"];
        };
    };
    createWorkflow: {
        parameters: {
            query?: never;
            header?: {
                /** @description Id of the organization to act in */
                "X-Organization-ID"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewWorkflow"];
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    "X-Request-ID": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Workflow"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedEncoding"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["OrganizationLimited"];
            500: components["responses"]["Unexpected"];
            503: components["responses"]["Unavailable"];
        };
    };
    getWorkflow: {
        parameters: {
            query?: never;
            header?: {
                /** @description Id of the organization to act in */
                "X-Organization-ID"?: string;
            };
            path: {
                /** @description Id of the workflow */
                workflow_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-ID": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Workflow"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["OrganizationLimited"];
            500: components["responses"]["Unexpected"];
            503: components["responses"]["Unavailable"];
        };
    };
    putWorkflow: {
        parameters: {
            query?: never;
            header?: {
                /** @description Id of the organization to act in */
                "X-Organization-ID"?: string;
            };
            path: {
                /** @description Id of the workflow */
                workflow_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["WorkflowUpdate"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-ID": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Workflow"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedEncoding"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["OrganizationLimited"];
            500: components["responses"]["Unexpected"];
            503: components["responses"]["Unavailable"];
        };
    };
    deleteWorkflow: {
        parameters: {
            query?: never;
            header?: {
                /** @description Id of the organization to act in */
                "X-Organization-ID"?: string;
            };
            path: {
                /** @description Id of the workflow */
                workflow_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-ID": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WorkflowDeleted"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["OrganizationLimited"];
            500: components["responses"]["Unexpected"];
            503: components["responses"]["Unavailable"];
        };
    };
    updateWorkflow: {
        parameters: {
            query?: never;
            header?: {
                /** @description Id of the organization to act in */
                "X-Organization-ID"?: string;
            };
            path: {
                /** @description Id of the workflow */
                workflow_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["WorkflowUpdate"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-ID": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Workflow"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedEncoding"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["OrganizationLimited"];
            500: components["responses"]["Unexpected"];
            503: components["responses"]["Unavailable"];
        };
    };
    getWorkflowUsage: {
        parameters: {
            query?: never;
            header?: {
                /** @description Id of the organization to act in */
                "X-Organization-ID"?: string;
            };
            path: {
                /** @description Id of the workflow */
                workflow_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-ID": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WorkflowUsage"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["OrganizationLimited"];
            500: components["responses"]["Unexpected"];
            503: components["responses"]["Unavailable"];
        };
    };
    pinNode: {
        parameters: {
            query?: never;
            header?: {
                /** @description Id of the organization to act in */
                "X-Organization-ID"?: string;
            };
            path: {
                /** @description Id of the workflow */
                workflow_id: string;
                /** @description Id of the node in the draft */
                node_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NodePin"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-ID": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Workflow"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            /** @description Conflict */
            409: {
                headers: {
                    "X-Request-ID": components["headers"]["RequestId"];
                    "X-Error-Code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DetailError"];
                };
            };
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedEncoding"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["OrganizationLimited"];
            500: components["responses"]["Unexpected"];
            503: components["responses"]["Unavailable"];
        };
    };
    unpinNode: {
        parameters: {
            query?: never;
            header?: {
                /** @description Id of the organization to act in */
                "X-Organization-ID"?: string;
            };
            path: {
                /** @description Id of the workflow */
                workflow_id: string;
                /** @description Id of the node in the draft */
                node_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-ID": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Workflow"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["OrganizationLimited"];
            500: components["responses"]["Unexpected"];
            503: components["responses"]["Unavailable"];
        };
    };
    startRun: {
        parameters: {
            query?: never;
            header?: {
                /** @description Id of the organization to act in */
                "X-Organization-ID"?: string;
                /** @description The same key and body within 24 hours get the same answer, and one run. */
                "Idempotency-Key"?: string;
                /** @description `wait=30` waits up to 30 seconds for the result (RFC 7240), as `wait` does in the body, which wins. */
                Prefer?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewRun"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-ID": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RunStartedOrEnded"];
                };
            };
            /** @description Accepted */
            202: {
                headers: {
                    "X-Request-ID": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RunStarted"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthenticated"];
            402: components["responses"]["Denied"];
            403: components["responses"]["ForbiddenOrDenied"];
            /** @description Not found */
            404: {
                headers: {
                    "X-Request-ID": components["headers"]["RequestId"];
                    "X-Error-Code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DetailError"];
                };
            };
            /** @description Conflict */
            409: {
                headers: {
                    "X-Request-ID": components["headers"]["RequestId"];
                    "X-Error-Code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DetailError"];
                };
            };
            /** @description Gone */
            410: {
                headers: {
                    "X-Request-ID": components["headers"]["RequestId"];
                    "X-Error-Code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DetailError"];
                };
            };
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedEncoding"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["RunLimited"];
            500: components["responses"]["Unexpected"];
            /** @description Not available now */
            503: {
                headers: {
                    "X-Request-ID": components["headers"]["RequestId"];
                    "X-Error-Code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DetailError"];
                };
            };
        };
    };
    startRunBatch: {
        parameters: {
            query?: never;
            header?: {
                /** @description Id of the organization to act in */
                "X-Organization-ID"?: string;
                /** @description The same key and body within 24 hours get the same answer, and one run. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewRunBatch"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-ID": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RunBatchStarted"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthenticated"];
            402: components["responses"]["Denied"];
            403: components["responses"]["ForbiddenOrDenied"];
            /** @description Not found */
            404: {
                headers: {
                    "X-Request-ID": components["headers"]["RequestId"];
                    "X-Error-Code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DetailError"];
                };
            };
            /** @description Conflict */
            409: {
                headers: {
                    "X-Request-ID": components["headers"]["RequestId"];
                    "X-Error-Code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DetailError"];
                };
            };
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedEncoding"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["RunLimited"];
            500: components["responses"]["Unexpected"];
            /** @description Not available now */
            503: {
                headers: {
                    "X-Request-ID": components["headers"]["RequestId"];
                    "X-Error-Code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DetailError"];
                };
            };
        };
    };
    listenToRun: {
        parameters: {
            query?: {
                /** @description The last `seq` that was seen: the stream goes on after it */
                after_seq?: number;
            };
            header?: {
                /** @description Id of the organization to act in */
                "X-Organization-ID"?: string;
                /** @description The `seq` of the last event that was seen; the stream goes on after it. What is no number is ignored, and `after_seq` wins. */
                "Last-Event-ID"?: string;
            };
            path: {
                /** @description The `run_id` of the run; an answer to a question starts a new one */
                run_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-ID": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "text/event-stream": unknown;
                };
            };
            /** @description Success, without a body */
            204: {
                headers: {
                    "X-Request-ID": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["OrganizationLimited"];
            500: components["responses"]["Unexpected"];
            503: components["responses"]["Unavailable"];
        };
    };
    resumeRun: {
        parameters: {
            query?: never;
            header?: {
                /** @description Id of the organization to act in */
                "X-Organization-ID"?: string;
            };
            path: {
                /** @description The `run_id` of the run; an answer to a question starts a new one */
                run_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RunAnswer"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-ID": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RunResumed"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthenticated"];
            402: components["responses"]["Denied"];
            403: components["responses"]["ForbiddenOrDenied"];
            404: components["responses"]["NotFound"];
            /** @description Conflict */
            409: {
                headers: {
                    "X-Request-ID": components["headers"]["RequestId"];
                    "X-Error-Code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DetailError"];
                };
            };
            /** @description Gone */
            410: {
                headers: {
                    "X-Request-ID": components["headers"]["RequestId"];
                    "X-Error-Code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DetailError"];
                };
            };
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedEncoding"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["RunLimited"];
            500: components["responses"]["Unexpected"];
            503: components["responses"]["Unavailable"];
        };
    };
    cancelRun: {
        parameters: {
            query?: never;
            header?: {
                /** @description Id of the organization to act in */
                "X-Organization-ID"?: string;
            };
            path: {
                /** @description The `run_id` of the run; an answer to a question starts a new one */
                run_id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["Cancellation"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-ID": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RunCancelled"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedEncoding"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["OrganizationLimited"];
            500: components["responses"]["Unexpected"];
            503: components["responses"]["Unavailable"];
        };
    };
    listRuns: {
        parameters: {
            query?: {
                /** @description Rows per page */
                limit?: number;
                /** @description Number of rows to skip */
                offset?: number;
                /** @description Only the run with this `run_id`: how its `run_pk` is found */
                run_id?: string;
                /** @description Only runs of this workflow */
                workflow_id?: string;
                /** @description Only runs in this status; `completed` is another word for `succeeded` */
                status?: "running" | "interrupted" | "succeeded" | "completed" | "failed" | "cancelled";
                /** @description Only runs that were started so: api, schedule, chat, … */
                trigger_type?: string;
                /** @description Only runs that this person started */
                created_by?: string;
                /** @description Only runs created at this time or later */
                from?: string;
                /** @description Only runs created before this time */
                to?: string;
                /** @description Only runs with this text in the workflow's name or in the error's message */
                q?: string;
                /** @description A run that was answered continues in a new segment with a run_id of its own. `newest`: one row for each run, its earlier segments inside; `all`: a row for each segment */
                segments?: "all" | "newest";
            };
            header?: {
                /** @description Id of the organization to act in */
                "X-Organization-ID"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-ID": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RunList"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["OrganizationLimited"];
            500: components["responses"]["Unexpected"];
            503: components["responses"]["Unavailable"];
        };
    };
    listInterrupts: {
        parameters: {
            query?: {
                /** @description Only open questions are listed */
                status?: "pending";
                /** @description `me`: only questions that the caller may answer */
                assignee?: "me" | "anyone";
                /** @description Rows per page */
                limit?: number;
                /** @description Number of rows to skip */
                offset?: number;
            };
            header?: {
                /** @description Id of the organization to act in */
                "X-Organization-ID"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-ID": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InterruptList"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["OrganizationLimited"];
            500: components["responses"]["Unexpected"];
            503: components["responses"]["Unavailable"];
        };
    };
    getRun: {
        parameters: {
            query?: never;
            header?: {
                /** @description Id of the organization to act in */
                "X-Organization-ID"?: string;
            };
            path: {
                /** @description The `id` of the run in the history, not its `run_id` */
                run_pk: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-ID": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Run"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["OrganizationLimited"];
            500: components["responses"]["Unexpected"];
            503: components["responses"]["Unavailable"];
        };
    };
    getRunDefinition: {
        parameters: {
            query?: never;
            header?: {
                /** @description Id of the organization to act in */
                "X-Organization-ID"?: string;
            };
            path: {
                /** @description The `id` of the run in the history, not its `run_id` */
                run_pk: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-ID": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RunDefinition"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["OrganizationLimited"];
            500: components["responses"]["Unexpected"];
            503: components["responses"]["Unavailable"];
        };
    };
    compareRuns: {
        parameters: {
            query?: never;
            header?: {
                /** @description Id of the organization to act in */
                "X-Organization-ID"?: string;
            };
            path: {
                /** @description The `id` of the run in the history, not its `run_id` */
                run_pk: string;
                /** @description The `id` of the other run in the history */
                other_run_pk: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-ID": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RunComparison"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["OrganizationLimited"];
            500: components["responses"]["Unexpected"];
            503: components["responses"]["Unavailable"];
        };
    };
    testNode: {
        parameters: {
            query?: never;
            header?: {
                /** @description Id of the organization to act in */
                "X-Organization-ID"?: string;
                /** @description The same key and body within 24 hours get the same answer, and one run. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description Id of the workflow */
                workflow_id: string;
                /** @description Id of the node in the draft */
                node_id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["NodeTest"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-ID": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RunStarted"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthenticated"];
            402: components["responses"]["Denied"];
            403: components["responses"]["ForbiddenOrDenied"];
            404: components["responses"]["NotFound"];
            /** @description Conflict */
            409: {
                headers: {
                    "X-Request-ID": components["headers"]["RequestId"];
                    "X-Error-Code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DetailError"];
                };
            };
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedEncoding"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["RunLimited"];
            500: components["responses"]["Unexpected"];
            /** @description Not available now */
            503: {
                headers: {
                    "X-Request-ID": components["headers"]["RequestId"];
                    "X-Error-Code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DetailError"];
                };
            };
        };
    };
    rerunRun: {
        parameters: {
            query?: never;
            header?: {
                /** @description Id of the organization to act in */
                "X-Organization-ID"?: string;
                /** @description The same key and body within 24 hours get the same answer, and one run. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description The `id` of the run in the history, not its `run_id` */
                run_pk: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["Rerun"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-ID": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RerunReply"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthenticated"];
            402: components["responses"]["Denied"];
            403: components["responses"]["ForbiddenOrDenied"];
            404: components["responses"]["NotFound"];
            /** @description Conflict */
            409: {
                headers: {
                    "X-Request-ID": components["headers"]["RequestId"];
                    "X-Error-Code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DetailError"];
                };
            };
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedEncoding"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["RunLimited"];
            500: components["responses"]["Unexpected"];
            /** @description Not available now */
            503: {
                headers: {
                    "X-Request-ID": components["headers"]["RequestId"];
                    "X-Error-Code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DetailError"];
                };
            };
        };
    };
    getRunStep: {
        parameters: {
            query?: never;
            header?: {
                /** @description Id of the organization to act in */
                "X-Organization-ID"?: string;
            };
            path: {
                /** @description The `id` of the run in the history, not its `run_id` */
                run_pk: string;
                /** @description Id of the step */
                step_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-ID": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RunStep"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["OrganizationLimited"];
            500: components["responses"]["Unexpected"];
            503: components["responses"]["Unavailable"];
        };
    };
    deployWorkflow: {
        parameters: {
            query?: never;
            header?: {
                /** @description Id of the organization to act in */
                "X-Organization-ID"?: string;
            };
            path: {
                /** @description Id of the workflow */
                workflow_id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["DeployRequest"];
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    "X-Request-ID": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Deployment"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedEncoding"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["OrganizationLimited"];
            500: components["responses"]["Unexpected"];
            503: components["responses"]["Unavailable"];
        };
    };
    listDeployments: {
        parameters: {
            query?: {
                /** @description Rows per page */
                limit?: number;
                /** @description Number of rows to skip */
                offset?: number;
            };
            header?: {
                /** @description Id of the organization to act in */
                "X-Organization-ID"?: string;
            };
            path: {
                /** @description Id of the workflow */
                workflow_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-ID": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DeploymentList"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["OrganizationLimited"];
            500: components["responses"]["Unexpected"];
            503: components["responses"]["Unavailable"];
        };
    };
    deactivateLiveDeployment: {
        parameters: {
            query?: never;
            header?: {
                /** @description Id of the organization to act in */
                "X-Organization-ID"?: string;
            };
            path: {
                /** @description Id of the workflow */
                workflow_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-ID": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DeploymentDeactivated"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["OrganizationLimited"];
            500: components["responses"]["Unexpected"];
            503: components["responses"]["Unavailable"];
        };
    };
    getDeployment: {
        parameters: {
            query?: never;
            header?: {
                /** @description Id of the organization to act in */
                "X-Organization-ID"?: string;
            };
            path: {
                /** @description Id of the workflow */
                workflow_id: string;
                /** @description Id of the deployment */
                deployment_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-ID": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DeploymentDetail"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["OrganizationLimited"];
            500: components["responses"]["Unexpected"];
            503: components["responses"]["Unavailable"];
        };
    };
    deleteDeployment: {
        parameters: {
            query?: never;
            header?: {
                /** @description Id of the organization to act in */
                "X-Organization-ID"?: string;
            };
            path: {
                /** @description Id of the workflow */
                workflow_id: string;
                /** @description Id of the deployment */
                deployment_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-ID": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DeploymentDeleted"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["OrganizationLimited"];
            500: components["responses"]["Unexpected"];
            503: components["responses"]["Unavailable"];
        };
    };
    activateDeployment: {
        parameters: {
            query?: never;
            header?: {
                /** @description Id of the organization to act in */
                "X-Organization-ID"?: string;
            };
            path: {
                /** @description Id of the workflow */
                workflow_id: string;
                /** @description Id of the deployment */
                deployment_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-ID": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DeploymentActivated"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["OrganizationLimited"];
            500: components["responses"]["Unexpected"];
            503: components["responses"]["Unavailable"];
        };
    };
    listOrganizations: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-ID": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OrganizationList"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["CallerLimited"];
            500: components["responses"]["Unexpected"];
            503: components["responses"]["Unavailable"];
        };
    };
    createOrganization: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewOrganization"];
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    "X-Request-ID": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Organization"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedEncoding"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["CallerLimited"];
            500: components["responses"]["Unexpected"];
            503: components["responses"]["Unavailable"];
        };
    };
    getOrganization: {
        parameters: {
            query?: never;
            header?: {
                /** @description Id of the organization to act in */
                "X-Organization-ID"?: string;
            };
            path: {
                /** @description Id of the organization */
                organization_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-ID": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OrganizationDetail"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["CallerLimited"];
            500: components["responses"]["Unexpected"];
            503: components["responses"]["Unavailable"];
        };
    };
    updateOrganization: {
        parameters: {
            query?: never;
            header?: {
                /** @description Id of the organization to act in */
                "X-Organization-ID"?: string;
            };
            path: {
                /** @description Id of the organization */
                organization_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["OrganizationUpdate"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-ID": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OrganizationDetail"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedEncoding"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["CallerLimited"];
            500: components["responses"]["Unexpected"];
            503: components["responses"]["Unavailable"];
        };
    };
    listMembers: {
        parameters: {
            query?: never;
            header?: {
                /** @description Id of the organization to act in */
                "X-Organization-ID"?: string;
            };
            path: {
                /** @description Id of the organization */
                organization_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-ID": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MemberList"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["CallerLimited"];
            500: components["responses"]["Unexpected"];
            503: components["responses"]["Unavailable"];
        };
    };
    removeMember: {
        parameters: {
            query?: never;
            header?: {
                /** @description Id of the organization to act in */
                "X-Organization-ID"?: string;
            };
            path: {
                /** @description Id of the organization */
                organization_id: string;
                /** @description Id of the user */
                user_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-ID": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Success"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            /** @description Conflict */
            409: {
                headers: {
                    "X-Request-ID": components["headers"]["RequestId"];
                    "X-Error-Code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DetailError"];
                };
            };
            422: components["responses"]["Invalid"];
            429: components["responses"]["CallerLimited"];
            500: components["responses"]["Unexpected"];
            503: components["responses"]["Unavailable"];
        };
    };
    changeMemberRole: {
        parameters: {
            query?: never;
            header?: {
                /** @description Id of the organization to act in */
                "X-Organization-ID"?: string;
            };
            path: {
                /** @description Id of the organization */
                organization_id: string;
                /** @description Id of the user */
                user_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RoleChange"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-ID": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Member"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            /** @description Conflict */
            409: {
                headers: {
                    "X-Request-ID": components["headers"]["RequestId"];
                    "X-Error-Code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DetailError"];
                };
            };
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedEncoding"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["CallerLimited"];
            500: components["responses"]["Unexpected"];
            503: components["responses"]["Unavailable"];
        };
    };
    listInvitations: {
        parameters: {
            query?: never;
            header?: {
                /** @description Id of the organization to act in */
                "X-Organization-ID"?: string;
            };
            path: {
                /** @description Id of the organization */
                organization_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-ID": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InvitationList"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["CallerLimited"];
            500: components["responses"]["Unexpected"];
            503: components["responses"]["Unavailable"];
        };
    };
    createInvitation: {
        parameters: {
            query?: never;
            header?: {
                /** @description Id of the organization to act in */
                "X-Organization-ID"?: string;
            };
            path: {
                /** @description Id of the organization */
                organization_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewInvitation"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-ID": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Invitation"];
                };
            };
            /** @description Created */
            201: {
                headers: {
                    "X-Request-ID": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Invitation"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            /** @description Conflict */
            409: {
                headers: {
                    "X-Request-ID": components["headers"]["RequestId"];
                    "X-Error-Code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DetailError"];
                };
            };
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedEncoding"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["CallerLimited"];
            500: components["responses"]["Unexpected"];
            503: components["responses"]["Unavailable"];
        };
    };
    withdrawInvitation: {
        parameters: {
            query?: never;
            header?: {
                /** @description Id of the organization to act in */
                "X-Organization-ID"?: string;
            };
            path: {
                /** @description Id of the organization */
                organization_id: string;
                /** @description Id of the invitation */
                invitation_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-ID": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Success"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["CallerLimited"];
            500: components["responses"]["Unexpected"];
            503: components["responses"]["Unavailable"];
        };
    };
    listMyInvitations: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-ID": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InvitationList"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["CallerLimited"];
            500: components["responses"]["Unexpected"];
            503: components["responses"]["Unavailable"];
        };
    };
    acceptInvitation: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the invitation */
                invitation_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-ID": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Invitation"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            /** @description Conflict */
            409: {
                headers: {
                    "X-Request-ID": components["headers"]["RequestId"];
                    "X-Error-Code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DetailError"];
                };
            };
            422: components["responses"]["Invalid"];
            429: components["responses"]["CallerLimited"];
            500: components["responses"]["Unexpected"];
            503: components["responses"]["Unavailable"];
        };
    };
    declineInvitation: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the invitation */
                invitation_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-ID": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Success"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["CallerLimited"];
            500: components["responses"]["Unexpected"];
            503: components["responses"]["Unavailable"];
        };
    };
    listCredentials: {
        parameters: {
            query?: {
                /** @description Name of an integration: only its credentials */
                integration?: string;
            };
            header?: {
                /** @description Id of the organization to act in */
                "X-Organization-ID"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-ID": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CredentialList"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["OrganizationLimited"];
            500: components["responses"]["Unexpected"];
            503: components["responses"]["Unavailable"];
        };
    };
    createCredential: {
        parameters: {
            query?: never;
            header?: {
                /** @description Id of the organization to act in */
                "X-Organization-ID"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewCredential"];
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    "X-Request-ID": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Credential"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedEncoding"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["OrganizationLimited"];
            500: components["responses"]["Unexpected"];
            /** @description Not available now */
            503: {
                headers: {
                    "X-Request-ID": components["headers"]["RequestId"];
                    "X-Error-Code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DetailError"];
                };
            };
        };
    };
    startAuthorization: {
        parameters: {
            query?: never;
            header?: {
                /** @description Id of the organization to act in */
                "X-Organization-ID"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewAuthorization"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-ID": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Authorization"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            /** @description Not found */
            404: {
                headers: {
                    "X-Request-ID": components["headers"]["RequestId"];
                    "X-Error-Code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DetailError"];
                };
            };
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedEncoding"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["OrganizationLimited"];
            500: components["responses"]["Unexpected"];
            /** @description Not available now */
            503: {
                headers: {
                    "X-Request-ID": components["headers"]["RequestId"];
                    "X-Error-Code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DetailError"];
                };
            };
        };
    };
    finishAuthorization: {
        parameters: {
            query?: never;
            header?: {
                /** @description Id of the organization to act in */
                "X-Organization-ID"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AuthorizationEnd"];
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    "X-Request-ID": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Credential"];
                };
            };
            /** @description Malformed request */
            400: {
                headers: {
                    "X-Request-ID": components["headers"]["RequestId"];
                    "X-Error-Code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DetailError"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedEncoding"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["OrganizationLimited"];
            500: components["responses"]["Unexpected"];
            /** @description Not available now */
            503: {
                headers: {
                    "X-Request-ID": components["headers"]["RequestId"];
                    "X-Error-Code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DetailError"];
                };
            };
        };
    };
    getCredential: {
        parameters: {
            query?: never;
            header?: {
                /** @description Id of the organization to act in */
                "X-Organization-ID"?: string;
            };
            path: {
                /** @description Id of the credential */
                credential_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-ID": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CredentialDetail"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["OrganizationLimited"];
            500: components["responses"]["Unexpected"];
            503: components["responses"]["Unavailable"];
        };
    };
    deleteCredential: {
        parameters: {
            query?: never;
            header?: {
                /** @description Id of the organization to act in */
                "X-Organization-ID"?: string;
            };
            path: {
                /** @description Id of the credential */
                credential_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-ID": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Success"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            /** @description Conflict */
            409: {
                headers: {
                    "X-Request-ID": components["headers"]["RequestId"];
                    "X-Error-Code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DetailError"];
                };
            };
            422: components["responses"]["Invalid"];
            429: components["responses"]["OrganizationLimited"];
            500: components["responses"]["Unexpected"];
            503: components["responses"]["Unavailable"];
        };
    };
    updateCredential: {
        parameters: {
            query?: never;
            header?: {
                /** @description Id of the organization to act in */
                "X-Organization-ID"?: string;
            };
            path: {
                /** @description Id of the credential */
                credential_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CredentialChange"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-ID": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Credential"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedEncoding"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["OrganizationLimited"];
            500: components["responses"]["Unexpected"];
            /** @description Not available now */
            503: {
                headers: {
                    "X-Request-ID": components["headers"]["RequestId"];
                    "X-Error-Code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DetailError"];
                };
            };
        };
    };
    testCredential: {
        parameters: {
            query?: never;
            header?: {
                /** @description Id of the organization to act in */
                "X-Organization-ID"?: string;
            };
            path: {
                /** @description Id of the credential */
                credential_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-ID": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CredentialTest"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["OrganizationLimited"];
            500: components["responses"]["Unexpected"];
            503: components["responses"]["Unavailable"];
        };
    };
    listCredentialTools: {
        parameters: {
            query?: never;
            header?: {
                /** @description Id of the organization to act in */
                "X-Organization-ID"?: string;
            };
            path: {
                /** @description Id of the credential */
                credential_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-ID": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CredentialToolList"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["OrganizationLimited"];
            500: components["responses"]["Unexpected"];
            /** @description Answer */
            502: {
                headers: {
                    "X-Request-ID": components["headers"]["RequestId"];
                    "X-Error-Code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DetailError"];
                };
            };
            /** @description Not available now */
            503: {
                headers: {
                    "X-Request-ID": components["headers"]["RequestId"];
                    "X-Error-Code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DetailError"];
                };
            };
        };
    };
    listIntegrations: {
        parameters: {
            query?: {
                /** @description Only integrations of this category */
                category?: string;
                /** @description A text in their names or descriptions */
                search?: string;
            };
            header?: {
                /** @description Id of the organization to act in */
                "X-Organization-ID"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-ID": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["IntegrationList"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["OrganizationLimited"];
            500: components["responses"]["Unexpected"];
            503: components["responses"]["Unavailable"];
        };
    };
    getIntegration: {
        parameters: {
            query?: never;
            header?: {
                /** @description Id of the organization to act in */
                "X-Organization-ID"?: string;
            };
            path: {
                /** @description Name of the integration */
                name: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-ID": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Integration"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["OrganizationLimited"];
            500: components["responses"]["Unexpected"];
            503: components["responses"]["Unavailable"];
        };
    };
    listApiKeys: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-ID": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiKeyList"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["CallerLimited"];
            500: components["responses"]["Unexpected"];
            503: components["responses"]["Unavailable"];
        };
    };
    createApiKey: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewApiKey"];
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    "X-Request-ID": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CreatedApiKey"];
                };
            };
            /** @description Malformed request */
            400: {
                headers: {
                    "X-Request-ID": components["headers"]["RequestId"];
                    "X-Error-Code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TooManyKeys"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedEncoding"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["CallerLimited"];
            500: components["responses"]["Unexpected"];
            503: components["responses"]["Unavailable"];
        };
    };
    getApiKey: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the api key */
                api_key_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-ID": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiKey"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["CallerLimited"];
            500: components["responses"]["Unexpected"];
            503: components["responses"]["Unavailable"];
        };
    };
    revokeApiKey: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the api key */
                api_key_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-ID": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiKey"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["CallerLimited"];
            500: components["responses"]["Unexpected"];
            503: components["responses"]["Unavailable"];
        };
    };
    getMe: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-ID": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Me"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["CallerLimited"];
            500: components["responses"]["Unexpected"];
            503: components["responses"]["Unavailable"];
        };
    };
    listMyOrganizations: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-ID": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MyOrganizationList"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["CallerLimited"];
            500: components["responses"]["Unexpected"];
            503: components["responses"]["Unavailable"];
        };
    };
    listComposerChats: {
        parameters: {
            query?: {
                /** @description Rows per page */
                limit?: number;
                /** @description `next_cursor` of the previous page; without it, the first page */
                cursor?: string;
            };
            header?: {
                /** @description Id of the organization to act in */
                "X-Organization-ID"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-ID": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ChatPage"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["OrganizationLimited"];
            500: components["responses"]["Unexpected"];
            503: components["responses"]["Unavailable"];
        };
    };
    getComposerChat: {
        parameters: {
            query?: never;
            header?: {
                /** @description Id of the organization to act in */
                "X-Organization-ID"?: string;
            };
            path: {
                /** @description Id of the chat */
                chat_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-ID": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Chat"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["OrganizationLimited"];
            500: components["responses"]["Unexpected"];
            503: components["responses"]["Unavailable"];
        };
    };
    deleteComposerChat: {
        parameters: {
            query?: never;
            header?: {
                /** @description Id of the organization to act in */
                "X-Organization-ID"?: string;
            };
            path: {
                /** @description Id of the chat */
                chat_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-ID": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Success"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            /** @description Conflict */
            409: {
                headers: {
                    "X-Request-ID": components["headers"]["RequestId"];
                    "X-Error-Code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DetailError"];
                };
            };
            422: components["responses"]["Invalid"];
            429: components["responses"]["OrganizationLimited"];
            500: components["responses"]["Unexpected"];
            503: components["responses"]["Unavailable"];
        };
    };
    updateComposerChat: {
        parameters: {
            query?: never;
            header?: {
                /** @description Id of the organization to act in */
                "X-Organization-ID"?: string;
            };
            path: {
                /** @description Id of the chat */
                chat_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ChatChange"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-ID": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Chat"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedEncoding"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["OrganizationLimited"];
            500: components["responses"]["Unexpected"];
            503: components["responses"]["Unavailable"];
        };
    };
    listComposerMessages: {
        parameters: {
            query?: {
                /** @description Rows per page */
                limit?: number;
                /** @description `next_cursor` of the previous page; without it, the first page */
                cursor?: string;
            };
            header?: {
                /** @description Id of the organization to act in */
                "X-Organization-ID"?: string;
            };
            path: {
                /** @description Id of the chat */
                chat_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-ID": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ChatMessagePage"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["OrganizationLimited"];
            500: components["responses"]["Unexpected"];
            503: components["responses"]["Unavailable"];
        };
    };
    listAssistantChats: {
        parameters: {
            query?: {
                /** @description Rows per page */
                limit?: number;
                /** @description `next_cursor` of the previous page; without it, the first page */
                cursor?: string;
            };
            header?: {
                /** @description Id of the organization to act in */
                "X-Organization-ID"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-ID": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ChatPage"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["OrganizationLimited"];
            500: components["responses"]["Unexpected"];
            503: components["responses"]["Unavailable"];
        };
    };
    getAssistantChat: {
        parameters: {
            query?: never;
            header?: {
                /** @description Id of the organization to act in */
                "X-Organization-ID"?: string;
            };
            path: {
                /** @description Id of the chat */
                chat_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-ID": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Chat"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["OrganizationLimited"];
            500: components["responses"]["Unexpected"];
            503: components["responses"]["Unavailable"];
        };
    };
    deleteAssistantChat: {
        parameters: {
            query?: never;
            header?: {
                /** @description Id of the organization to act in */
                "X-Organization-ID"?: string;
            };
            path: {
                /** @description Id of the chat */
                chat_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-ID": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Success"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            /** @description Conflict */
            409: {
                headers: {
                    "X-Request-ID": components["headers"]["RequestId"];
                    "X-Error-Code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DetailError"];
                };
            };
            422: components["responses"]["Invalid"];
            429: components["responses"]["OrganizationLimited"];
            500: components["responses"]["Unexpected"];
            503: components["responses"]["Unavailable"];
        };
    };
    updateAssistantChat: {
        parameters: {
            query?: never;
            header?: {
                /** @description Id of the organization to act in */
                "X-Organization-ID"?: string;
            };
            path: {
                /** @description Id of the chat */
                chat_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ChatChange"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-ID": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Chat"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedEncoding"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["OrganizationLimited"];
            500: components["responses"]["Unexpected"];
            503: components["responses"]["Unavailable"];
        };
    };
    listAssistantMessages: {
        parameters: {
            query?: {
                /** @description Rows per page */
                limit?: number;
                /** @description `next_cursor` of the previous page; without it, the first page */
                cursor?: string;
            };
            header?: {
                /** @description Id of the organization to act in */
                "X-Organization-ID"?: string;
            };
            path: {
                /** @description Id of the chat */
                chat_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-ID": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ChatMessagePage"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["OrganizationLimited"];
            500: components["responses"]["Unexpected"];
            503: components["responses"]["Unavailable"];
        };
    };
    sendAssistantMessage: {
        parameters: {
            query?: never;
            header?: {
                /** @description Id of the organization to act in */
                "X-Organization-ID"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AssistantMessage"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-ID": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AssistantAnswer"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthenticated"];
            402: components["responses"]["Denied"];
            403: components["responses"]["ForbiddenOrDenied"];
            /** @description Not found */
            404: {
                headers: {
                    "X-Request-ID": components["headers"]["RequestId"];
                    "X-Error-Code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DetailError"];
                };
            };
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedEncoding"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["RunLimited"];
            500: components["responses"]["Unexpected"];
            /** @description Not available now */
            503: {
                headers: {
                    "X-Request-ID": components["headers"]["RequestId"];
                    "X-Error-Code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DetailError"];
                };
            };
        };
    };
    sendComposerMessage: {
        parameters: {
            query?: never;
            header?: {
                /** @description Id of the organization to act in */
                "X-Organization-ID"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ComposerMessage"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-ID": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ComposerAnswer"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthenticated"];
            402: components["responses"]["Denied"];
            403: components["responses"]["ForbiddenOrDenied"];
            /** @description Not found */
            404: {
                headers: {
                    "X-Request-ID": components["headers"]["RequestId"];
                    "X-Error-Code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DetailError"];
                };
            };
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedEncoding"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["RunLimited"];
            500: components["responses"]["Unexpected"];
            /** @description Not available now */
            503: {
                headers: {
                    "X-Request-ID": components["headers"]["RequestId"];
                    "X-Error-Code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DetailError"];
                };
            };
        };
    };
    getSubscription: {
        parameters: {
            query?: never;
            header?: {
                /** @description Id of the organization to act in */
                "X-Organization-ID"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-ID": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Subscription"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["CallerLimited"];
            500: components["responses"]["Unexpected"];
            503: components["responses"]["Unavailable"];
        };
    };
    getDailyUsage: {
        parameters: {
            query?: {
                /** @description How many days, the last of which is today */
                days?: number;
            };
            header?: {
                /** @description Id of the organization to act in */
                "X-Organization-ID"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-ID": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DailyUsage"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["CallerLimited"];
            500: components["responses"]["Unexpected"];
            503: components["responses"]["Unavailable"];
        };
    };
    listWalletLedger: {
        parameters: {
            query?: {
                /** @description Rows per page */
                limit?: number;
                /** @description `next_cursor` of the previous page; without it, the first page */
                cursor?: string;
            };
            header?: {
                /** @description Id of the organization to act in */
                "X-Organization-ID"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-ID": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WalletLedgerPage"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["CallerLimited"];
            500: components["responses"]["Unexpected"];
            503: components["responses"]["Unavailable"];
        };
    };
    setExtraUsage: {
        parameters: {
            query?: never;
            header?: {
                /** @description Id of the organization to act in */
                "X-Organization-ID"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ExtraUsageChange"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-ID": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Subscription"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthenticated"];
            /** @description Payment required */
            402: {
                headers: {
                    "X-Request-ID": components["headers"]["RequestId"];
                    "X-Error-Code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PaidSubscriptionRequired"];
                };
            };
            403: components["responses"]["Forbidden"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedEncoding"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["CallerLimited"];
            500: components["responses"]["Unexpected"];
            503: components["responses"]["Unavailable"];
        };
    };
    startTopup: {
        parameters: {
            query?: never;
            header?: {
                /** @description Id of the organization to act in */
                "X-Organization-ID"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewTopup"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-ID": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Topup"];
                };
            };
            /** @description Malformed request */
            400: {
                headers: {
                    "X-Request-ID": components["headers"]["RequestId"];
                    "X-Error-Code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DetailError"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            /** @description Payment required */
            402: {
                headers: {
                    "X-Request-ID": components["headers"]["RequestId"];
                    "X-Error-Code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PaidSubscriptionRequired"];
                };
            };
            403: components["responses"]["Forbidden"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedEncoding"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["CallerLimited"];
            500: components["responses"]["Unexpected"];
            /** @description Not available now */
            503: {
                headers: {
                    "X-Request-ID": components["headers"]["RequestId"];
                    "X-Error-Code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DetailError"];
                };
            };
        };
    };
    receiveStripeEvent: {
        parameters: {
            query?: never;
            header?: {
                /** @description The signature of the body; a wrong one is 400 */
                "Stripe-Signature"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    [key: string]: components["schemas"]["Json"];
                };
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-ID": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["StripeEventReceived"];
                };
            };
            /** @description Malformed request */
            400: {
                headers: {
                    "X-Request-ID": components["headers"]["RequestId"];
                    "X-Error-Code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DetailError"];
                };
            };
            /** @description Not found */
            404: {
                headers: {
                    "X-Request-ID": components["headers"]["RequestId"];
                    "X-Error-Code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DetailError"];
                };
            };
            /** @description Answer */
            413: {
                headers: {
                    "X-Request-ID": components["headers"]["RequestId"];
                    "X-Error-Code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DetailError"];
                };
            };
            422: components["responses"]["Invalid"];
            500: components["responses"]["Unexpected"];
        };
    };
    listSchedules: {
        parameters: {
            query?: {
                /** @description Rows per page */
                limit?: number;
                /** @description Number of rows to skip */
                offset?: number;
                /** @description Only schedules of this workflow */
                workflow_id?: string;
            };
            header?: {
                /** @description Id of the organization to act in */
                "X-Organization-ID"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-ID": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ScheduleList"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["OrganizationLimited"];
            500: components["responses"]["Unexpected"];
            503: components["responses"]["Unavailable"];
        };
    };
    createSchedule: {
        parameters: {
            query?: never;
            header?: {
                /** @description Id of the organization to act in */
                "X-Organization-ID"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewSchedule"];
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    "X-Request-ID": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Schedule"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            /** @description Not found */
            404: {
                headers: {
                    "X-Request-ID": components["headers"]["RequestId"];
                    "X-Error-Code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DetailError"];
                };
            };
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedEncoding"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["OrganizationLimited"];
            500: components["responses"]["Unexpected"];
            503: components["responses"]["Unavailable"];
        };
    };
    getSchedule: {
        parameters: {
            query?: never;
            header?: {
                /** @description Id of the organization to act in */
                "X-Organization-ID"?: string;
            };
            path: {
                /** @description Id of the schedule */
                schedule_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-ID": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Schedule"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["OrganizationLimited"];
            500: components["responses"]["Unexpected"];
            503: components["responses"]["Unavailable"];
        };
    };
    deleteSchedule: {
        parameters: {
            query?: never;
            header?: {
                /** @description Id of the organization to act in */
                "X-Organization-ID"?: string;
            };
            path: {
                /** @description Id of the schedule */
                schedule_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-ID": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Success"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["OrganizationLimited"];
            500: components["responses"]["Unexpected"];
            503: components["responses"]["Unavailable"];
        };
    };
    updateSchedule: {
        parameters: {
            query?: never;
            header?: {
                /** @description Id of the organization to act in */
                "X-Organization-ID"?: string;
            };
            path: {
                /** @description Id of the schedule */
                schedule_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ScheduleChange"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-ID": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Schedule"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            /** @description Conflict */
            409: {
                headers: {
                    "X-Request-ID": components["headers"]["RequestId"];
                    "X-Error-Code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DetailError"];
                };
            };
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedEncoding"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["OrganizationLimited"];
            500: components["responses"]["Unexpected"];
            503: components["responses"]["Unavailable"];
        };
    };
    pauseSchedule: {
        parameters: {
            query?: never;
            header?: {
                /** @description Id of the organization to act in */
                "X-Organization-ID"?: string;
            };
            path: {
                /** @description Id of the schedule */
                schedule_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-ID": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Schedule"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            /** @description Conflict */
            409: {
                headers: {
                    "X-Request-ID": components["headers"]["RequestId"];
                    "X-Error-Code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DetailError"];
                };
            };
            422: components["responses"]["Invalid"];
            429: components["responses"]["OrganizationLimited"];
            500: components["responses"]["Unexpected"];
            503: components["responses"]["Unavailable"];
        };
    };
    resumeSchedule: {
        parameters: {
            query?: never;
            header?: {
                /** @description Id of the organization to act in */
                "X-Organization-ID"?: string;
            };
            path: {
                /** @description Id of the schedule */
                schedule_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-ID": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Schedule"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            /** @description Conflict */
            409: {
                headers: {
                    "X-Request-ID": components["headers"]["RequestId"];
                    "X-Error-Code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DetailError"];
                };
            };
            422: components["responses"]["Invalid"];
            429: components["responses"]["OrganizationLimited"];
            500: components["responses"]["Unexpected"];
            503: components["responses"]["Unavailable"];
        };
    };
    triggerSchedule: {
        parameters: {
            query?: never;
            header?: {
                /** @description Id of the organization to act in */
                "X-Organization-ID"?: string;
            };
            path: {
                /** @description Id of the schedule */
                schedule_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Accepted */
            202: {
                headers: {
                    "X-Request-ID": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Success"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            /** @description Conflict */
            409: {
                headers: {
                    "X-Request-ID": components["headers"]["RequestId"];
                    "X-Error-Code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DetailError"];
                };
            };
            422: components["responses"]["Invalid"];
            429: components["responses"]["OrganizationLimited"];
            500: components["responses"]["Unexpected"];
            /** @description Not available now */
            503: {
                headers: {
                    "X-Request-ID": components["headers"]["RequestId"];
                    "X-Error-Code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DetailError"];
                };
            };
        };
    };
    listScheduleRuns: {
        parameters: {
            query?: {
                /** @description Rows per page */
                limit?: number;
                /** @description Number of rows to skip */
                offset?: number;
            };
            header?: {
                /** @description Id of the organization to act in */
                "X-Organization-ID"?: string;
            };
            path: {
                /** @description Id of the schedule */
                schedule_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-ID": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ScheduledRunList"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["OrganizationLimited"];
            500: components["responses"]["Unexpected"];
            503: components["responses"]["Unavailable"];
        };
    };
    listScheduleFirings: {
        parameters: {
            query?: {
                /** @description Rows per page */
                limit?: number;
            };
            header?: {
                /** @description Id of the organization to act in */
                "X-Organization-ID"?: string;
            };
            path: {
                /** @description Id of the schedule */
                schedule_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-ID": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ScheduleFirings"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["OrganizationLimited"];
            500: components["responses"]["Unexpected"];
            503: components["responses"]["Unavailable"];
        };
    };
    listHooks: {
        parameters: {
            query?: never;
            header?: {
                /** @description Id of the organization to act in */
                "X-Organization-ID"?: string;
            };
            path: {
                /** @description Id of the workflow */
                workflow_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-ID": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HookList"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["OrganizationLimited"];
            500: components["responses"]["Unexpected"];
            /** @description Not available now */
            503: {
                headers: {
                    "X-Request-ID": components["headers"]["RequestId"];
                    "X-Error-Code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DetailError"];
                };
            };
        };
    };
    createHook: {
        parameters: {
            query?: never;
            header?: {
                /** @description Id of the organization to act in */
                "X-Organization-ID"?: string;
            };
            path: {
                /** @description Id of the workflow */
                workflow_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewHook"];
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    "X-Request-ID": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Hook"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            /** @description Conflict */
            409: {
                headers: {
                    "X-Request-ID": components["headers"]["RequestId"];
                    "X-Error-Code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DetailError"];
                };
            };
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedEncoding"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["OrganizationLimited"];
            500: components["responses"]["Unexpected"];
            /** @description Not available now */
            503: {
                headers: {
                    "X-Request-ID": components["headers"]["RequestId"];
                    "X-Error-Code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DetailError"];
                };
            };
        };
    };
    getHook: {
        parameters: {
            query?: never;
            header?: {
                /** @description Id of the organization to act in */
                "X-Organization-ID"?: string;
            };
            path: {
                /** @description Id of the workflow */
                workflow_id: string;
                /** @description Id of the hook */
                hook_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-ID": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Hook"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["OrganizationLimited"];
            500: components["responses"]["Unexpected"];
            /** @description Not available now */
            503: {
                headers: {
                    "X-Request-ID": components["headers"]["RequestId"];
                    "X-Error-Code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DetailError"];
                };
            };
        };
    };
    deleteHook: {
        parameters: {
            query?: never;
            header?: {
                /** @description Id of the organization to act in */
                "X-Organization-ID"?: string;
            };
            path: {
                /** @description Id of the workflow */
                workflow_id: string;
                /** @description Id of the hook */
                hook_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-ID": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Success"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["OrganizationLimited"];
            500: components["responses"]["Unexpected"];
            503: components["responses"]["Unavailable"];
        };
    };
    updateHook: {
        parameters: {
            query?: never;
            header?: {
                /** @description Id of the organization to act in */
                "X-Organization-ID"?: string;
            };
            path: {
                /** @description Id of the workflow */
                workflow_id: string;
                /** @description Id of the hook */
                hook_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["HookChange"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-ID": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Hook"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedEncoding"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["OrganizationLimited"];
            500: components["responses"]["Unexpected"];
            /** @description Not available now */
            503: {
                headers: {
                    "X-Request-ID": components["headers"]["RequestId"];
                    "X-Error-Code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DetailError"];
                };
            };
        };
    };
    rotateHook: {
        parameters: {
            query?: never;
            header?: {
                /** @description Id of the organization to act in */
                "X-Organization-ID"?: string;
            };
            path: {
                /** @description Id of the workflow */
                workflow_id: string;
                /** @description Id of the hook */
                hook_id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["HookRotation"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-ID": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Hook"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedEncoding"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["OrganizationLimited"];
            500: components["responses"]["Unexpected"];
            /** @description Not available now */
            503: {
                headers: {
                    "X-Request-ID": components["headers"]["RequestId"];
                    "X-Error-Code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DetailError"];
                };
            };
        };
    };
    listHookDeliveries: {
        parameters: {
            query?: {
                /** @description Rows per page */
                limit?: number;
                /** @description Number of rows to skip */
                offset?: number;
            };
            header?: {
                /** @description Id of the organization to act in */
                "X-Organization-ID"?: string;
            };
            path: {
                /** @description Id of the workflow */
                workflow_id: string;
                /** @description Id of the hook */
                hook_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-ID": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HookDeliveryList"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["OrganizationLimited"];
            500: components["responses"]["Unexpected"];
            /** @description Not available now */
            503: {
                headers: {
                    "X-Request-ID": components["headers"]["RequestId"];
                    "X-Error-Code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DetailError"];
                };
            };
        };
    };
    redeliverHook: {
        parameters: {
            query?: never;
            header?: {
                /** @description Id of the organization to act in */
                "X-Organization-ID"?: string;
            };
            path: {
                /** @description Id of the workflow */
                workflow_id: string;
                /** @description Id of the hook */
                hook_id: string;
                /** @description Id of the delivery */
                delivery_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-ID": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HookReceived"];
                };
            };
            /** @description Malformed request */
            400: {
                headers: {
                    "X-Request-ID": components["headers"]["RequestId"];
                    "X-Error-Code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DetailError"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            402: components["responses"]["Denied"];
            403: components["responses"]["ForbiddenOrDenied"];
            404: components["responses"]["NotFound"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["RunLimited"];
            500: components["responses"]["Unexpected"];
            /** @description Not available now */
            503: {
                headers: {
                    "X-Request-ID": components["headers"]["RequestId"];
                    "X-Error-Code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DetailError"];
                };
            };
        };
    };
    getToHook: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-ID": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HookReceived"];
                };
            };
            /** @description Accepted */
            202: {
                headers: {
                    "X-Request-ID": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HookReceived"];
                };
            };
            /** @description Malformed request */
            400: {
                headers: {
                    "X-Request-ID": components["headers"]["RequestId"];
                    "X-Error-Code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DetailError"];
                };
            };
            /** @description Answer */
            401: {
                headers: {
                    "X-Request-ID": components["headers"]["RequestId"];
                    "X-Error-Code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DetailError"];
                };
            };
            402: components["responses"]["Denied"];
            /** @description Not found */
            404: {
                headers: {
                    "X-Request-ID": components["headers"]["RequestId"];
                    "X-Error-Code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DetailError"];
                };
            };
            /** @description Answer */
            413: {
                headers: {
                    "X-Request-ID": components["headers"]["RequestId"];
                    "X-Error-Code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DetailError"];
                };
            };
            422: components["responses"]["Invalid"];
            500: components["responses"]["Unexpected"];
            /** @description Not available now */
            503: {
                headers: {
                    "X-Request-ID": components["headers"]["RequestId"];
                    "X-Error-Code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DetailError"];
                };
            };
        };
    };
    putToHook: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    [key: string]: components["schemas"]["Json"];
                };
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-ID": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HookReceived"];
                };
            };
            /** @description Accepted */
            202: {
                headers: {
                    "X-Request-ID": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HookReceived"];
                };
            };
            /** @description Malformed request */
            400: {
                headers: {
                    "X-Request-ID": components["headers"]["RequestId"];
                    "X-Error-Code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DetailError"];
                };
            };
            /** @description Answer */
            401: {
                headers: {
                    "X-Request-ID": components["headers"]["RequestId"];
                    "X-Error-Code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DetailError"];
                };
            };
            402: components["responses"]["Denied"];
            /** @description Not found */
            404: {
                headers: {
                    "X-Request-ID": components["headers"]["RequestId"];
                    "X-Error-Code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DetailError"];
                };
            };
            /** @description Answer */
            413: {
                headers: {
                    "X-Request-ID": components["headers"]["RequestId"];
                    "X-Error-Code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DetailError"];
                };
            };
            422: components["responses"]["Invalid"];
            500: components["responses"]["Unexpected"];
            /** @description Not available now */
            503: {
                headers: {
                    "X-Request-ID": components["headers"]["RequestId"];
                    "X-Error-Code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DetailError"];
                };
            };
        };
    };
    postToHook: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    [key: string]: components["schemas"]["Json"];
                };
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-ID": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HookReceived"];
                };
            };
            /** @description Accepted */
            202: {
                headers: {
                    "X-Request-ID": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HookReceived"];
                };
            };
            /** @description Malformed request */
            400: {
                headers: {
                    "X-Request-ID": components["headers"]["RequestId"];
                    "X-Error-Code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DetailError"];
                };
            };
            /** @description Answer */
            401: {
                headers: {
                    "X-Request-ID": components["headers"]["RequestId"];
                    "X-Error-Code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DetailError"];
                };
            };
            402: components["responses"]["Denied"];
            /** @description Not found */
            404: {
                headers: {
                    "X-Request-ID": components["headers"]["RequestId"];
                    "X-Error-Code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DetailError"];
                };
            };
            /** @description Answer */
            413: {
                headers: {
                    "X-Request-ID": components["headers"]["RequestId"];
                    "X-Error-Code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DetailError"];
                };
            };
            422: components["responses"]["Invalid"];
            500: components["responses"]["Unexpected"];
            /** @description Not available now */
            503: {
                headers: {
                    "X-Request-ID": components["headers"]["RequestId"];
                    "X-Error-Code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DetailError"];
                };
            };
        };
    };
    createRequest: {
        parameters: {
            query?: never;
            header?: {
                /** @description The organization that asks; left out, the user asks */
                "X-Organization-ID"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewSupportRequest"];
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    "X-Request-ID": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SupportRequest"];
                };
            };
            /** @description Malformed request */
            400: {
                headers: {
                    "X-Request-ID": components["headers"]["RequestId"];
                    "X-Error-Code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DetailError"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedEncoding"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["CallerLimited"];
            500: components["responses"]["Unexpected"];
            503: components["responses"]["Unavailable"];
        };
    };
    createSupportRequest: {
        parameters: {
            query?: never;
            header?: {
                /** @description The organization that asks; left out, the user asks */
                "X-Organization-ID"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewSupportRequest"];
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    "X-Request-ID": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SupportRequest"];
                };
            };
            /** @description Malformed request */
            400: {
                headers: {
                    "X-Request-ID": components["headers"]["RequestId"];
                    "X-Error-Code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DetailError"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedEncoding"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["CallerLimited"];
            500: components["responses"]["Unexpected"];
            503: components["responses"]["Unavailable"];
        };
    };
    listKnowledgeBases: {
        parameters: {
            query?: {
                /** @description Rows per page */
                limit?: number;
                /** @description `next_cursor` of the previous page; without it, the first page */
                cursor?: string;
            };
            header?: {
                /** @description Id of the organization to act in */
                "X-Organization-ID"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-ID": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["KnowledgeBasePage"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["OrganizationLimited"];
            500: components["responses"]["Unexpected"];
            503: components["responses"]["Unavailable"];
        };
    };
    createKnowledgeBase: {
        parameters: {
            query?: never;
            header?: {
                /** @description Id of the organization to act in */
                "X-Organization-ID"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewKnowledgeBase"];
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    "X-Request-ID": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["KnowledgeBase"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthenticated"];
            402: components["responses"]["Denied"];
            403: components["responses"]["ForbiddenOrDenied"];
            /** @description Not found */
            404: {
                headers: {
                    "X-Request-ID": components["headers"]["RequestId"];
                    "X-Error-Code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DetailError"];
                };
            };
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedEncoding"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["RunLimited"];
            500: components["responses"]["Unexpected"];
            /** @description Not available now */
            503: {
                headers: {
                    "X-Request-ID": components["headers"]["RequestId"];
                    "X-Error-Code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DetailError"];
                };
            };
        };
    };
    getKnowledgeBase: {
        parameters: {
            query?: never;
            header?: {
                /** @description Id of the organization to act in */
                "X-Organization-ID"?: string;
            };
            path: {
                /** @description Id of the knowledge base */
                knowledge_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-ID": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["KnowledgeBase"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["OrganizationLimited"];
            500: components["responses"]["Unexpected"];
            503: components["responses"]["Unavailable"];
        };
    };
    deleteKnowledgeBase: {
        parameters: {
            query?: never;
            header?: {
                /** @description Id of the organization to act in */
                "X-Organization-ID"?: string;
            };
            path: {
                /** @description Id of the knowledge base */
                knowledge_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-ID": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Success"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["OrganizationLimited"];
            500: components["responses"]["Unexpected"];
            503: components["responses"]["Unavailable"];
        };
    };
    updateKnowledgeBase: {
        parameters: {
            query?: never;
            header?: {
                /** @description Id of the organization to act in */
                "X-Organization-ID"?: string;
            };
            path: {
                /** @description Id of the knowledge base */
                knowledge_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["KnowledgeBaseChange"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-ID": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["KnowledgeBase"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            /** @description Conflict */
            409: {
                headers: {
                    "X-Request-ID": components["headers"]["RequestId"];
                    "X-Error-Code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DetailError"];
                };
            };
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedEncoding"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["OrganizationLimited"];
            500: components["responses"]["Unexpected"];
            /** @description Not available now */
            503: {
                headers: {
                    "X-Request-ID": components["headers"]["RequestId"];
                    "X-Error-Code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DetailError"];
                };
            };
        };
    };
    searchKnowledgeBase: {
        parameters: {
            query?: never;
            header?: {
                /** @description Id of the organization to act in */
                "X-Organization-ID"?: string;
            };
            path: {
                /** @description Id of the knowledge base */
                knowledge_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["KnowledgeSearch"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-ID": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["KnowledgeSearchResult"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthenticated"];
            402: components["responses"]["Denied"];
            403: components["responses"]["ForbiddenOrDenied"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedEncoding"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["RunLimited"];
            500: components["responses"]["Unexpected"];
            /** @description Answer */
            502: {
                headers: {
                    "X-Request-ID": components["headers"]["RequestId"];
                    "X-Error-Code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DetailError"];
                };
            };
            /** @description Not available now */
            503: {
                headers: {
                    "X-Request-ID": components["headers"]["RequestId"];
                    "X-Error-Code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DetailError"];
                };
            };
        };
    };
    listDocuments: {
        parameters: {
            query?: {
                /** @description Rows per page */
                limit?: number;
                /** @description `next_cursor` of the previous page; without it, the first page */
                cursor?: string;
                /** @description Only documents in this status */
                status?: "pending" | "processing" | "completed" | "failed";
            };
            header?: {
                /** @description Id of the organization to act in */
                "X-Organization-ID"?: string;
            };
            path: {
                /** @description Id of the knowledge base */
                knowledge_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-ID": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["KnowledgeDocumentPage"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["OrganizationLimited"];
            500: components["responses"]["Unexpected"];
            503: components["responses"]["Unavailable"];
        };
    };
    uploadDocument: {
        parameters: {
            query?: never;
            header?: {
                /** @description Id of the organization to act in */
                "X-Organization-ID"?: string;
            };
            path: {
                /** @description Id of the knowledge base */
                knowledge_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "multipart/form-data": components["schemas"]["DocumentUpload"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-ID": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["KnowledgeDocument"];
                };
            };
            /** @description Accepted */
            202: {
                headers: {
                    "X-Request-ID": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["KnowledgeDocument"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthenticated"];
            402: components["responses"]["Denied"];
            403: components["responses"]["ForbiddenOrDenied"];
            404: components["responses"]["NotFound"];
            /** @description Conflict */
            409: {
                headers: {
                    "X-Request-ID": components["headers"]["RequestId"];
                    "X-Error-Code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DetailError"];
                };
            };
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedEncoding"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["RunLimited"];
            500: components["responses"]["Unexpected"];
            503: components["responses"]["Unavailable"];
        };
    };
    getDocument: {
        parameters: {
            query?: never;
            header?: {
                /** @description Id of the organization to act in */
                "X-Organization-ID"?: string;
            };
            path: {
                /** @description Id of the knowledge base */
                knowledge_id: string;
                /** @description Id of the document */
                document_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-ID": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["KnowledgeDocument"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["OrganizationLimited"];
            500: components["responses"]["Unexpected"];
            503: components["responses"]["Unavailable"];
        };
    };
    deleteDocument: {
        parameters: {
            query?: never;
            header?: {
                /** @description Id of the organization to act in */
                "X-Organization-ID"?: string;
            };
            path: {
                /** @description Id of the knowledge base */
                knowledge_id: string;
                /** @description Id of the document */
                document_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-ID": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Success"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["OrganizationLimited"];
            500: components["responses"]["Unexpected"];
            503: components["responses"]["Unavailable"];
        };
    };
    retryDocument: {
        parameters: {
            query?: never;
            header?: {
                /** @description Id of the organization to act in */
                "X-Organization-ID"?: string;
            };
            path: {
                /** @description Id of the knowledge base */
                knowledge_id: string;
                /** @description Id of the document */
                document_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Accepted */
            202: {
                headers: {
                    "X-Request-ID": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["KnowledgeDocument"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthenticated"];
            402: components["responses"]["Denied"];
            403: components["responses"]["ForbiddenOrDenied"];
            404: components["responses"]["NotFound"];
            /** @description Conflict */
            409: {
                headers: {
                    "X-Request-ID": components["headers"]["RequestId"];
                    "X-Error-Code": components["headers"]["ErrorCode"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DetailError"];
                };
            };
            422: components["responses"]["Invalid"];
            429: components["responses"]["RunLimited"];
            500: components["responses"]["Unexpected"];
            503: components["responses"]["Unavailable"];
        };
    };
    listDocumentChunks: {
        parameters: {
            query?: {
                /** @description Rows per page */
                limit?: number;
                /** @description Number of rows to skip */
                offset?: number;
            };
            header?: {
                /** @description Id of the organization to act in */
                "X-Organization-ID"?: string;
            };
            path: {
                /** @description Id of the knowledge base */
                knowledge_id: string;
                /** @description Id of the document */
                document_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-ID": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["KnowledgeChunkList"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["OrganizationLimited"];
            500: components["responses"]["Unexpected"];
            503: components["responses"]["Unavailable"];
        };
    };
    getOpenApi: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-ID": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["JsonObject"];
                };
            };
            422: components["responses"]["Invalid"];
            500: components["responses"]["Unexpected"];
        };
    };
}
