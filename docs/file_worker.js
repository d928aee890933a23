// Browsers start no worker for a page that is opened as a file. Its script, the search, runs in a hidden frame instead.
if (location.protocol === "file:") {
  window.Worker = class extends EventTarget {
    constructor(url) {
      super();
      this.onmessage = this.onerror = null;
      this.frame = document.createElement("iframe");
      this.frame.hidden = true;
      document.body.appendChild(this.frame);
      const inside = this.frame.contentWindow;
      inside.postMessage = (data) => this.deliver(new MessageEvent("message", { data }));
      inside.importScripts = (...urls) => urls.reduce((before, next) => before.then(() => this.load(next)), Promise.resolve());
      this.ready = this.load(new URL(url, document.baseURI).href);
    }

    load(url) {
      return new Promise((loaded, failed) => {
        const script = this.frame.contentDocument.createElement("script");
        script.src = new URL(url, document.baseURI).href;
        script.onload = loaded;
        script.onerror = failed;
        this.frame.contentDocument.body.appendChild(script);
      });
    }

    deliver(event) {
      this.dispatchEvent(event);
      if (this.onmessage) this.onmessage(event);
    }

    postMessage(data) {
      this.ready.then(() => this.frame.contentWindow.dispatchEvent(new MessageEvent("message", { data })));
    }

    terminate() {
      this.frame.remove();
    }
  };
}

// A query "--only-sure" is for an option: a leading dash would exclude the word.
const QUERY = 2;
const post = window.Worker.prototype.postMessage;
window.Worker.prototype.postMessage = function (message, ...rest) {
  const query = message && message.type === QUERY && typeof message.data === "string";
  const plain = query ? { ...message, data: message.data.replace(/(^|\s)-+/g, "$1") } : message;
  return post.call(this, plain, ...rest);
};
