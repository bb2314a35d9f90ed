/**
 * Webs whose trackers come only when a browser runs them: no reading of the page finds their ids. Each script puts its
 * addresses together out of parts, as bundled and configured code does.
 */
const scripts: Readonly<Record<string, string>> = {
  // Writes a tag into the page while it is read, and loads a library that it should not.
  'www.seehof-kaltern.test': `(function () {
  var id = ['28374', '65019', '283'].join('');
  document.write('<img alt="" width="1" height="1" src="https://www.face' + 'book.com/tr/?id=' + id + '&ev=PageView&noscript=1">');
  var library = document.createElement('script');
  library.src = ['https://cdn.poly', 'fill.io/v3/polyfill.min.js'].join('');
  document.head.appendChild(library);
})();`,
  // Asks nobody first, and does not care for a no.
  'www.bergbahnen-ahrntal.test': `(function () {
  var tag = ['G', 'AHRNTAL' + 2026].join('-');
  setTimeout(function () {
    new Image().src = 'https://region1.google-' + 'analytics.com/g/collect?v=2&tid=' + tag + '&en=page_view';
  }, 200);
  addEventListener('ucEvent', function () {
    var id = ['73104', '40298', '117'].join('');
    new Image().src = 'https://www.face' + 'book.com/tr/?id=' + id + '&ev=PageView';
  });
})();`,
  // Does as it should: nothing before a yes.
  'www.hotel-rosengarten.test': `addEventListener('ucEvent', function (event) {
  var id = ['26', '128', '40517', '339'].join('');
  if (event.detail.action === 'onAcceptAllServices')
    new Image().src = 'https://ct.pin' + 'terest.com/v3/?event=init&tid=' + id;
});`,
}

const path = '/js/app.js'

/** The tags that load them; none for a web whose trackers all stand in its page. */
export const runTimeTags = (host: string): readonly string[] =>
  host in scripts ? [`<script src="${path}"></script>`] : []

/** Null where there is none. */
export const runTimeScript = ({ hostname, pathname }: URL): string | null =>
  pathname === path ? (scripts[hostname] ?? null) : null
