import { escaped } from '../html.ts'
import { type Message, mostMessages } from './store.ts'

/** All messages on one page, which reads itself anew every few seconds. */
export const page = (messages: readonly Message[]): string => `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width">
    <meta http-equiv="refresh" content="5">
    <meta name="color-scheme" content="light dark">
    <title>${messages.length > 0 ? `(${messages.length}) ` : ''}Messages from Kustos</title>
    <style>${style}</style>
  </head>
  <body>
    <main>
      <h1>Messages from Kustos</h1>
      <p>What Kustos sends in the sandbox arrives here and nowhere else; the latest ${mostMessages.toLocaleString('en')} are kept.</p>
      ${messages.length === 0 ? '<p class="none">Nothing has been sent yet.</p>' : messages.map(article).join('\n      ')}
    </main>
  </body>
</html>
`

const article = ({ id, at, channel, recipient, subject, text }: Message): string => `<article id="m${id}">
        <header>
          <span class="channel ${channel}">${channel}</span>
          <span>${escaped(recipient)}</span>
          <time datetime="${escaped(at)}">${escaped(timeOf(at))}</time>
        </header>
        ${subject === null ? '' : `<h2>${escaped(subject)}</h2>\n        `}<pre>${escaped(text)}</pre>
      </article>`

/** Where the agency's clocks stand. */
const format = new Intl.DateTimeFormat('en-GB', {
  dateStyle: 'medium',
  timeStyle: 'medium',
  timeZone: 'Europe/Rome',
})
const timeOf = (at: string): string => format.format(new Date(at))

const style = `
      :root { --ink: #1b1f24; --soft: #59636e; --paper: #f6f8fa; --card: #fff; --line: #d1d9e0 }
      @media (prefers-color-scheme: dark) {
        :root { --ink: #e6edf3; --soft: #9198a1; --paper: #0d1117; --card: #151b23; --line: #3d444d }
      }
      body { margin: 0; background: var(--paper); color: var(--ink); font: 15px/1.5 system-ui, sans-serif }
      main { max-width: 52rem; margin: 0 auto; padding: 1.5rem 1rem }
      h1 { font-size: 1.4rem; margin: 0 }
      h2 { font-size: 1rem; margin: .6rem 0 0; overflow-wrap: anywhere }
      p { color: var(--soft); margin: .3rem 0 1.2rem }
      article { background: var(--card); border: 1px solid var(--line); border-radius: .5rem; padding: .8rem 1rem; margin: 0 0 .8rem }
      header { display: flex; flex-wrap: wrap; gap: .2rem .8rem; color: var(--soft); font-size: .87rem }
      time { margin-left: auto }
      .channel { color: var(--ink); font-weight: 600; border-left: .25rem solid; padding-left: .5rem }
      .mail { border-color: #2f6fde } .slack { border-color: #a3569e } .telegram { border-color: #1f9bd1 }
      pre { margin: .4rem 0 0; font: inherit; white-space: pre-wrap; overflow-wrap: anywhere }
    `
