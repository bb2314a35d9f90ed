window.UET = class {
  constructor({ ti }) {
    new Image().src = `https://bat.bing.com/action/0?ti=${ti}&Ver=2&evt=pageLoad`
  }
}
