/** The page at /docs: Swagger UI from its package, with our own start script. */

/**
 * The start script: no external validator, no stored credentials, no other documents. Addresses are relative, so that the page
 * works below a path of a reverse proxy.
 */
export const INITIALIZER = `'use strict';
window.addEventListener('load', () => {
  SwaggerUIBundle({
    url: 'openapi.json',
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
