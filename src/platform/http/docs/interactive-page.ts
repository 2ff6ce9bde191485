/** The page at /docs: Swagger UI from its package, with our own start script. */

/**
 * The start script: no external validator, no other documents. Addresses are relative, so that the page works below a path of a
 * reverse proxy. The organization is one more entry of the dialog "Authorize" instead of a field of each operation. Both are kept
 * in the tab's session storage: a reload keeps them, and a key does not outlive its tab.
 */
export const INITIALIZER = `'use strict';
const KEPT = 'docs-authorization';
const ORGANIZATION = 'X-Organization-ID';

function authorizeOrganization(document) {
  const isOrganization = ({ in: place, name }) => place === 'header' && name === ORGANIZATION;
  for (const operation of Object.values(document.paths).flatMap(Object.values)) {
    const parameters = operation.parameters ?? [];
    if (!parameters.some(isOrganization)) continue;
    operation.parameters = parameters.filter((parameter) => !isOrganization(parameter));
    operation.security = (operation.security ?? []).map((scheme) => ({ ...scheme, organization: [] }));
  }
  document.components.securitySchemes.organization = {
    type: 'apiKey',
    in: 'header',
    name: ORGANIZATION,
    description: 'Id of the organization to act in',
  };
  return document;
}

function keepAuthorization(ui) {
  const kept = JSON.parse(sessionStorage.getItem(KEPT) ?? '{}');
  if (Object.keys(kept).length > 0) ui.authActions.authorize(kept);
  ui.getStore().subscribe(() => {
    const authorized = ui.authSelectors.authorized();
    sessionStorage.setItem(KEPT, JSON.stringify(authorized?.toJS() ?? {}));
  });
}

window.addEventListener('load', async () => {
  const document = await (await fetch('openapi.json')).json();
  const ui = SwaggerUIBundle({
    spec: authorizeOrganization(document),
    dom_id: '#swagger-ui',
    deepLinking: true,
    presets: [SwaggerUIBundle.presets.apis],
    layout: 'BaseLayout',
    docExpansion: 'list',
    defaultModelsExpandDepth: 0,
    displayRequestDuration: true,
    validatorUrl: null,
    persistAuthorization: false,
    queryConfigEnabled: false,
  });
  keepAuthorization(ui);
});
`;

/** @returns an HTML document without inline scripts */
export function buildInteractivePage(): string {
  return [
    '<!doctype html>',
    '<html lang="en">',
    '<head>',
    '<meta charset="utf-8">',
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    '<title>Workflow Automation Service: API</title>',
    '<link rel="icon" type="image/png" href="docs/favicon-32x32.png">',
    '<link rel="stylesheet" href="docs/swagger-ui.css">',
    '</head>',
    '<body>',
    '<div id="swagger-ui"></div>',
    '<noscript><p>This page needs scripts. <a href="redoc">The reference without scripts</a></p></noscript>',
    '<script src="docs/swagger-ui-bundle.js"></script>',
    '<script src="docs/initializer.js"></script>',
    '</body>',
    '</html>',
    '',
  ].join('\n');
}
