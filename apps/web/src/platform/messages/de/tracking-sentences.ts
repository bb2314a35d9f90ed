/** What audits could not look at, by the English sentence; addresses and numbers stand as {0}, {1}. */
export const trackingSentences: Readonly<Record<string, string>> = {
  'The web was deleted meanwhile.': 'Das Web wurde inzwischen gelöscht.',
  'It was not done after {0} s.': 'Nach {0} s war noch kein Ende da.',
  'It was begun {0} times, and each time its worker ended before it did.':
    '{0}-mal begonnen, und jedes Mal endete der Worker davor.',
  'Its worker ended before it did; it was begun again.': 'Der Worker endete davor; es wurde neu begonnen.',
  'The page is larger than {0} MiB; the rest was not read.':
    'Die Seite ist größer als {0} MiB; der Rest wurde nicht gelesen.',
  'The page has more than {0} scripts, pictures and links; the rest was not read.':
    'Die Seite hat mehr als {0} Skripte, Bilder und Verweise; der Rest wurde nicht gelesen.',
  'The page has a tag with more than {0} attributes; the rest was not read.':
    'Die Seite hat ein Tag mit mehr als {0} Attributen; der Rest wurde nicht gelesen.',
  'The page is nested too deeply; the rest was not read.':
    'Die Seite ist zu tief verschachtelt; der Rest wurde nicht gelesen.',
  'The script {0} is larger than {1} MiB; the rest was not read.':
    'Das Skript {0} ist größer als {1} MiB; der Rest wurde nicht gelesen.',
  'The page has more than {0} scripts; {1} of its own were not looked at.':
    'Die Seite hat mehr als {0} Skripte; {1} ihrer eigenen wurden nicht angesehen.',
  'The container {0} says more than any container does; the rest was not read.':
    'Der Container {0} enthält mehr, als es irgendeiner tut; der Rest wurde nicht gelesen.',
  '{0} answered {1}.': '{0} antwortete mit {1}.',
  '{0} more could not be read.': '{0} weitere waren nicht lesbar.',
  'The container {0}': 'Der Container {0}',
  'The script {0}': 'Das Skript {0}',
  'The page in the browser': 'Die Seite im Browser',
  'it makes more than {0} requests': 'sie stellt mehr als {0} Anfragen',
  'it loads more than {0} MB, or from everywhere': 'sie lädt mehr als {0} MB oder von überall',
  'it was not done in time': 'sie wurde nicht rechtzeitig fertig',
  'it was not its turn in time': 'sie kam nicht rechtzeitig an die Reihe',
  'its scripts come to no end': 'ihre Skripte kommen zu keinem Ende',
  'it asks its visitors without end': 'sie fragt ihre Besucher ohne Ende',
  'it opens window after window': 'sie öffnet Fenster um Fenster',
  'it goes on to other pages without end': 'sie leitet ohne Ende auf andere Seiten weiter',
  'it redirects without end': 'sie leitet ohne Ende weiter',
  'it is a download and no page': 'sie ist ein Download und keine Seite',
  'it crashed': 'sie stürzte ab',
  'it did not load': 'sie lud nicht',
  'it answered {0}': 'sie antwortete mit {0}',
  'its banner did not come a second time': 'ihr Banner kam kein zweites Mal',
  'the browser ended': 'der Browser endete',
  'the browser did not open it': 'der Browser öffnete sie nicht',
  'The services of Usercentrics': 'Die Liste der Usercentrics-Dienste',
  'it is none': 'es ist keiner',
  'all together are too large': 'alle zusammen sind zu groß',
  'there was no time left': 'es blieb keine Zeit',
  'the server answered {0}': 'der Server antwortete mit {0}',
  'no whole answer within {0} s': 'keine ganze Antwort binnen {0} s',
  'it is encoded more often than is decoded': 'es ist öfter kodiert, als dekodiert wird',
}
