import { type Corpus, gtmSnippet, inline, pageWith } from '../page-fixtures.ts'

const pixel = `fbq('init', '123456789012345')`
const config = `gtag('config', 'G-ABCDEF1234')`
const consent = `gtag('consent', 'default', { ad_storage: 'denied' })`

/** Scripts that name services and run none of it. */
const scripts: Readonly<Record<string, string>> = {
  'a call behind false': `false && ${pixel}`,
  'a call behind a negated number': `!1 && ${pixel}; 0 && ${config}; void 0 && ${consent}`,
  'a call behind a constant': `const tracking = false; tracking && ${pixel}; if (tracking) { ${config} }`,
  'a call behind a constant expression': `const debug = true; if (!debug) { ${pixel} } debug || ${config}`,
  'a call behind a comparison of constants': `const stage = 'test'; if (stage === 'live') ${pixel}`,
  'a call instead of something true': `true || ${pixel}`,
  'a call instead of an object': `({}) || ${pixel}; [] ?? ${config}`,
  'a call in a condition without braces': `if (0) ${pixel}`,
  'a call in the other branch': `if (true) { start() } else { ${pixel} }`,
  'a call in a conditional expression': `false ? ${pixel} : 1; true ? 1 : ${config}`,
  'a call in a loop that never runs': `while (false) { ${pixel} } for (; false; ) { ${config} }`,
  'a call after a return': `(function () { start(); return; ${pixel} })()`,
  'a call after a return in a block': `(function () { { return 1 } ${pixel} })()`,
  'a call after both branches returned': `(function (a) { if (a) { return 1 } else { throw a } ${pixel} })(b)`,
  'a call after a certain return': `(() => { if (!0) return; ${pixel} })()`,
  'a call after an error': `throw new Error('not supported'); ${pixel}`,
  'a call after a break': `for (;;) { break; ${pixel} }`,
  'a call after a continue': `for (const a of b) { continue; ${pixel} }`,
  'a call after the break of a case': `switch (a) { case 1: start(); break; ${pixel}; case 2: stop() }`,
  'a call after a return out of a try': `(function () { try { return a() } catch { return 1 } ${pixel} })()`,
  'a function that is never called': `(function () { function old() { ${pixel} } start() })()`,
  'a function in a constant that is never used': `(() => { const old = () => { ${config} }; start() })()`,
  'another function with the name of a pixel': `(function () { function fbq(key, id) { cache[key] = id } ${pixel} })()`,
  'another function with the name of a tag': `const gtag = (key, value) => map.set(key, value); ${config}; ${consent}`,
  'another class with the name of a pixel': `(() => { class fbq { static init() {} } new fbq('init', '123456789012345') })()`,
  'an alias of another function': `(function () { const fbq = console.log; ${pixel} })()`,
  'a parameter that is another function': `(function (fbq) { ${pixel} })(console.log)`,
  'a method of another object': `app.${pixel}; this.tags.${config}; registry['fbq']('init', '123456789012345')`,
  'a key of an object': `const services = { fbq: { init: '123456789012345' }, gtag: { config: 'G-ABCDEF1234' } }`,
  'code in a string that is shown': `document.querySelector('pre').textContent = "${pixel}; ${config}"`,
  'code in a concatenated string': `help.innerHTML = '<pre>' + "${pixel}" + '</pre>'`,
  'code in a template string that is shown': `help.innerHTML = \`<pre>\${title} ${pixel} ${config}</pre>\``,
  'code in a tagged template': `render(html\`<code>${pixel}</code>\`)`,
  'code in a regular expression': `if (/fbq\\('init', '123456789012345'\\)/.test(source)) report('fbq')`,
  'code in a string of JSON': `var data = JSON.parse('{"code":"${pixel.replaceAll("'", '')}","tag":"gtag(config, G-ABCDEF1234)"}')`,
  'code in comments between code': `start() /* ${pixel} */; // ${config}\n/** ${consent} */ stop()`,
  'a script that is cut off': `start(); ${pixel.slice(0, -1)}`,
  'a script with an error': `var a = ; ${pixel}`,
  'a script in another language': `<?php if ($live) { ?> ${pixel} <?php } ?>`,
  'an id that is compared': `if (window.gtagId === 'G-ABCDEF1234') start()`,
  'an id that is listed': `const known = ['G-ABCDEF1234', 'AW-123456789', 'GTM-ABC1234']; console.log('gtag', known)`,
  'other commands': `fbq('set', 'autoConfig', false, '123456789012345'); fbq('track', 'Lead', { id: '123456789012345' }); gtag('get', 'G-ABCDEF1234', 'client_id', f)`,
  'a command that is not known': `fbq(command, '123456789012345'); gtag(x, 'G-ABCDEF1234')`,
  'a link to the script of Tag Manager': `var a = document.createElement('a'); a.href = 'https://www.googletagmanager.com/gtm.js?id=GTM-ABC1234'`,
  'a function that nobody gives an id': `window.load = function (id) { fbq('init', id); gtag('config', id); ttq.load(id) }`,
  'a wrapper of another list': `function track() { history.push(arguments) } track('config', 'G-ABCDEF1234') // gtag`,
  'a tag setting of another service': `var menu = { ti: '12345678' }; open({ ti: 12345678 }); log('uetq')`,
  'a cookie that is removed by its age': `const n = 't3pref'; document.cookie = \`\${n}=; max-age=0\`; Cookies.set('t3pentry', '', -1)`,
  'a snippet in a function that is never called': `(function () { function later() { ${gtmSnippet('GTM-ABC1234')} } start() })()`,
}

const escapeHtml = (html: string) => html.replaceAll('<', '&lt;').replaceAll('>', '&gt;')

/** Documentation of services, as agencies publish it. */
const documents: Readonly<Record<string, string>> = {
  'a guide with code samples': `<article><h2>Meta</h2><pre><code>${escapeHtml(inline(pixel))}</code></pre>
<h2>Google</h2><pre>${escapeHtml(inline(config))}</pre><kbd>${pixel}</kbd><samp>${config}</samp></article>`,
  'a guide with a copy button': `<pre id="a">${config}</pre><button onclick="copy('fbq(init)')">Kopieren</button>${inline(
    `copy(document.querySelector('#a').textContent, "${pixel}")`,
  )}`,
  'a guide whose samples are data': inline(
    JSON.stringify({ samples: [`<b>${pixel}</b>`, config] }),
    'type="application/json" id="samples"',
  ),
  'a guide in a template': `<template>${inline(pixel)}</template><textarea>${inline(config)}</textarea>`,
  'a privacy policy': `<p>Wir verwenden <code>fbq</code> mit der Nummer 123456789012345 und gtag mit G-ABCDEF1234 nicht.</p>`,
}

export const innocentCorpus: Corpus = Object.fromEntries([
  ...Object.entries(scripts).map(([name, code]) => [name, { page: pageWith(inline(code)), expected: [] }]),
  ...Object.entries(documents).map(([name, html]) => [name, { page: pageWith('', html), expected: [] }]),
])
